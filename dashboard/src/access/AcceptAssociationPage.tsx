import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import { $api, api } from "../api/client";
import { begin, isSignedIn } from "../api/session";
import type { Membership, Schemas } from "../api/types";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { dateTime } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useChosenInstitution } from "../ui/useInstitution";
import { AuthForm, AuthLink } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { MailedOffer } from "./MailedOffer";
import { SignInForm } from "./SignInForm";

/** Accepts a vendor's invitation for an institution of the user. */
export default function AcceptAssociationPage() {
  return (
    <MailedOffer<Offer>
      title={t`Receive licenses`}
      footer={<AuthLink to="/">{t`Not now`}</AuthLink>}
      preview="/api/associations/preview"
      advice={t`Ask the vendor to resend the invitation.`}
    >
      {(token, offer) => <AssociationAcceptance token={token} offer={offer} />}
    </MailedOffer>
  );
}

type Offer = Schemas["AssociationPreview"];

interface AssociationAcceptanceProps {
  token: string;
  offer: Offer;
}

/** Accepting a vendor's invitation: sign in, choose the institution, confirm. */
function AssociationAcceptance({ token, offer }: AssociationAcceptanceProps) {
  const [isIn, setIsIn] = useState(isSignedIn);
  return (
    <OfferLayout offer={offer}>
      {isIn ? (
        <AsUser token={token} offer={offer} />
      ) : (
        <>
          <Alert severity="info">
            {t`An Owner of your institution can accept. Sign in as one to continue.`}
          </Alert>
          <SignInForm
            onSession={(session) => {
              if (session) begin(session);
              setIsIn(session !== undefined);
              return Promise.resolve();
            }}
          />
        </>
      )}
    </OfferLayout>
  );
}

function OfferLayout({ offer, children }: { offer: Offer; children: ReactNode }) {
  const vendor = offer.vendorName;
  const expiry = dateTime(offer.expiresAt);
  return (
    <AuthLayout
      title={t`Receive licenses of ${{ product: offer.productName }}`}
      subtitle={t`${vendor} invites your institution. If you accept, its members see the licenses that ${vendor} issues to it and manage their devices. The vendor sees the name of your institution and nothing else. The invitation expires ${expiry}.`}
      footer={<AuthLink to="/">{t`Not now`}</AuthLink>}
    >
      {children}
    </AuthLayout>
  );
}

function AsUser({ token, offer }: AssociationAcceptanceProps) {
  const { data: me, error } = $api.useQuery("get", "/api/auth/me");
  if (error) return <ProblemAlert error={error} />;
  if (!me) return <Skeleton variant="rounded" height={42} />;
  const { email } = me;
  const owned = me.memberships.filter(
    ({ role, institutionId }) =>
      role === "Owner" && (offer.institutionId === null || institutionId === offer.institutionId),
  );
  if (owned.length === 0 && !me.isSystemAdmin)
    return (
      <Alert severity="warning">
        {offer.institutionId ? (
          <Trans>
            You are signed in as <strong>{email}</strong>, who is not an Owner of the invited
            institution. Pass the link on to an Owner.
          </Trans>
        ) : (
          <Trans>
            You are signed in as <strong>{email}</strong>, who is not an Owner of an institution.
            Pass the link on to an Owner.
          </Trans>
        )}
      </Alert>
    );
  return <Confirmation token={token} owned={owned} email={email} />;
}

interface ConfirmationProps {
  token: string;
  owned: Membership[];
  email: string;
}

function Confirmation({ token, owned, email }: ConfirmationProps) {
  const [, switchTo] = useChosenInstitution();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { institutionId: owned[0]?.institutionId ?? "" },
    send: async ({ institutionId }) => {
      const { data } = await api.POST("/api/associations/accept", {
        body: { token, institutionId: institutionId || null },
      });
      if (data) switchTo(data.institutionId);
      // The user may have signed in on this page.
      for (const name of ["auth", "get"]) await queryClient.resetQueries({ queryKey: [name] });
      await navigate("/received-licenses", { replace: true });
    },
  });
  return (
    <AuthForm form={form} action={t`Accept`}>
      <Alert severity="info">
        <Trans>
          You are signed in as <strong>{email}</strong>.
        </Trans>
      </Alert>
      {owned.length > 1 ? (
        <FormField
          {...form.field("institutionId")}
          label={t`Institution`}
          options={owned.map((item) => [item.institutionId, item.institutionName] as const)}
        />
      ) : (
        <TextField
          label={t`Institution`}
          fullWidth
          value={owned[0]?.institutionName ?? ""}
          slotProps={{ htmlInput: { readOnly: true } }}
        />
      )}
    </AuthForm>
  );
}

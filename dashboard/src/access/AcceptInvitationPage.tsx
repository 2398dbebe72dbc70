import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { AcceptInvitationRequest } from "../api/checks";
import { $api, api } from "../api/client";
import { begin, forget, isSignedIn, type Session } from "../api/session";
import type { Role, Schemas } from "../api/types";
import { useApiForm } from "../ui/form/useApiForm";
import { dateTime } from "../ui/formats";
import { Column } from "../ui/layout/layout";
import { PasswordField } from "../ui/PasswordField";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useChosenInstitution } from "../ui/useInstitution";
import { useSubmission } from "../ui/useSubmission";
import { AuthForm, AuthLink, NameField } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { MailedOffer } from "./MailedOffer";
import { SignInForm } from "./SignInForm";
import { useStartSession } from "./useStartSession";

/** An invitation as its recipient sees it; `email` is null if the address has an account. */
type Offer = Schemas["InvitationPreview"];

const ROLE_DESCRIPTIONS: Record<Role, string> = {
  Owner: t`You own the institution together with its other Owners.`,
  Admin: t`You manage products, licenses and people.`,
  Member: t`You can view what is assigned to you.`,
  Viewer: t`You can view everything and change nothing.`,
};

const INVITED_AS: Record<Role, string> = {
  Owner: t`You have been invited as Owner.`,
  Admin: t`You have been invited as Admin.`,
  Member: t`You have been invited as Member.`,
  Viewer: t`You have been invited as Viewer.`,
};

const invitedAs = (role: Role): string => INVITED_AS[role];

const roleDescription = (role: Role): string => ROLE_DESCRIPTIONS[role];

/** Accepts an invitation to join an institution. */
export default function AcceptInvitationPage() {
  return (
    <MailedOffer<Offer>
      title={t`Accept an invitation`}
      footer={<AuthLink to="/login">{t`Sign in`}</AuthLink>}
      preview="/api/auth/invitation"
      advice={t`Ask the person who invited you to resend the invitation.`}
    >
      {(token, offer) => <InvitationAcceptance token={token} offer={offer} />}
    </MailedOffer>
  );
}

interface InvitationAcceptanceProps {
  token: string;
  offer: Offer;
}

/** Accepting an invitation: confirm, sign in first, or choose a password for a new account. */
function InvitationAcceptance({ token, offer }: InvitationAcceptanceProps) {
  const [isIn, setIsIn] = useState(isSignedIn);
  if (isIn) return <AcceptAsUser token={token} offer={offer} onSignedOut={() => setIsIn(false)} />;
  if (!offer.hasAccount) return <AcceptWithNewAccount token={token} offer={offer} />;
  return (
    <InvitationLayout offer={offer}>
      <Alert severity="info">
        {t`An account with this email address already exists. Sign in to accept the invitation.`}
      </Alert>
      <SignInForm
        onSession={(session) => {
          if (session) begin(session);
          setIsIn(session !== undefined);
          return Promise.resolve();
        }}
      />
    </InvitationLayout>
  );
}

const InvitationLayout = ({ offer, children }: { offer: Offer; children: ReactNode }) => (
  <AuthLayout
    title={t`Join ${{ institution: offer.institutionName }}`}
    subtitle={
      <>
        {invitedAs(offer.role)} {roleDescription(offer.role)}{" "}
        {t`The invitation expires ${{ moment: dateTime(offer.expiresAt) }}.`}
      </>
    }
    footer={<AuthLink to="/">{t`Not now`}</AuthLink>}
  >
    {children}
  </AuthLayout>
);

/** Starts the session and switches to the institution that was just joined. */
function useEnterInstitution(known: readonly string[] = []) {
  const enter = useStartSession();
  const [, switchTo] = useChosenInstitution();
  return async (session: Session | undefined) => {
    const joined = session?.user.memberships.find((item) => !known.includes(item.institutionId));
    if (joined) switchTo(joined.institutionId);
    await enter(session, "/");
  };
}

function AcceptWithNewAccount({ token, offer }: InvitationAcceptanceProps) {
  const arrive = useEnterInstitution();
  const form = useApiForm({
    values: { fullName: "", password: "" },
    checks: AcceptInvitationRequest,
    send: async (draft) => {
      const body = { ...draft, token };
      await arrive((await api.POST("/api/auth/accept-invitation", { body })).data);
    },
  });
  return (
    <InvitationLayout offer={offer}>
      <AuthForm form={form} action={t`Create account and join`}>
        <TextField
          label={t`Email address`}
          value={offer.email ?? ""}
          autoComplete="username"
          fullWidth
          slotProps={{ htmlInput: { readOnly: true } }}
        />
        <NameField {...form.field("fullName")} />
        <PasswordField {...form.field("password")} label={t`Password`} chosen />
      </AuthForm>
    </InvitationLayout>
  );
}

interface AcceptAsUserProps extends InvitationAcceptanceProps {
  onSignedOut: () => void;
}

function AcceptAsUser({ token, offer, onSignedOut }: AcceptAsUserProps) {
  const queryClient = useQueryClient();
  const { data: me, error } = $api.useQuery("get", "/api/auth/me");
  const email = me?.email ?? "…";
  const arrive = useEnterInstitution(me?.memberships.map((item) => item.institutionId));
  const accepting = useApiForm({
    values: {},
    send: async () => {
      await arrive((await api.POST("/api/auth/accept-invitation", { body: { token } })).data);
    },
  });
  const { attempt, run } = useSubmission();
  const leave = async () => {
    await api.POST("/api/auth/logout");
    forget();
    queryClient.removeQueries({ queryKey: ["get"] });
    onSignedOut();
  };
  return (
    <InvitationLayout offer={offer}>
      <Column gap="m">
        {error && <ProblemAlert error={error} />}
        <AuthForm form={accepting} action={t`Accept`}>
          <Alert severity="info">
            <Trans>
              You are signed in as <strong>{email}</strong>.
            </Trans>
          </Alert>
        </AuthForm>
        <Button loading={attempt.busy} onClick={() => void run(leave)}>
          {t`Sign out and use another account`}
        </Button>
        {attempt.error !== null && <ProblemAlert error={attempt.error} />}
      </Column>
    </InvitationLayout>
  );
}

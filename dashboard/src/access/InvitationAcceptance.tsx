import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { $api, api } from "../api/client";
import { begin, forget, isSignedIn, type Session } from "../api/session";
import { PasswordField } from "../ui/PasswordField";
import { ProblemAlert } from "../ui/ProblemAlert";
import { dateTime } from "../ui/formats";
import { useChosenInstitution } from "../ui/useInstitution";
import { useSubmit } from "../ui/useSubmit";
import { NameField } from "./AccountFields";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";
import { invitedAs, roleDescription, type Offer } from "./invitationOffer";
import { SignInForm } from "./SignInForm";
import { useStartSession } from "./useStartSession";

interface InvitationAcceptanceProps {
  token: string;
  offer: Offer;
}

/** Accepting an invitation: confirm, sign in first, or choose a password for a new account. */
export function InvitationAcceptance({ token, offer }: InvitationAcceptanceProps) {
  const [isIn, setIsIn] = useState(isSignedIn);
  if (isIn)
    return (
      <AcceptAsUser
        token={token}
        offer={offer}
        onSignedOut={() => {
          setIsIn(false);
        }}
      />
    );
  if (!offer.hasAccount) return <AcceptWithNewAccount token={token} offer={offer} />;
  return (
    <InvitationLayout offer={offer}>
      <Stack sx={{ gap: 2 }}>
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
      </Stack>
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
  const submit = useSubmit(async ({ password = "", fullName = "" }) => {
    const body = { token, password, fullName };
    await arrive((await api.POST("/api/auth/accept-invitation", { body })).data);
  });
  return (
    <InvitationLayout offer={offer}>
      <AuthForm submit={submit} action={t`Create account and join`}>
        <TextField
          label={t`Email address`}
          value={offer.email ?? ""}
          autoComplete="username"
          fullWidth
          slotProps={{ htmlInput: { readOnly: true } }}
        />
        <NameField submit={submit} />
        <PasswordField {...submit.field("password")} label={t`Password`} chosen />
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
  const accepting = useSubmit(async () => {
    await arrive((await api.POST("/api/auth/accept-invitation", { body: { token } })).data);
  });
  const leaving = useSubmit(async () => {
    await api.POST("/api/auth/logout");
    forget();
    queryClient.removeQueries({ queryKey: ["get"] });
    onSignedOut();
  });
  return (
    <InvitationLayout offer={offer}>
      <Stack sx={{ gap: 1.5 }}>
        {error && <ProblemAlert error={error} />}
        <AuthForm submit={accepting} action={t`Accept`}>
          <Alert severity="info" sx={{ overflowWrap: "anywhere" }}>
            <Trans>
              You are signed in as <strong>{email}</strong>.
            </Trans>
          </Alert>
        </AuthForm>
        <form {...leaving.form}>
          <Button type="submit" fullWidth loading={leaving.busy}>
            {t`Sign out and use another account`}
          </Button>
        </form>
        {leaving.problem && <ProblemAlert error={leaving.problem} />}
      </Stack>
    </InvitationLayout>
  );
}

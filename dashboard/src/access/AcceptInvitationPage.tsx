import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api/client";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmit } from "../ui/useSubmit";
import { InvitationAcceptance } from "./InvitationAcceptance";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { AuthLink } from "./AuthLink";
import type { Offer } from "./invitationOffer";
import { TokenField } from "./TokenField";
import { useUrlToken } from "./useUrlToken";

/** Accepts an invitation to join an institution. */
export default function AcceptInvitationPage() {
  const mailed = useUrlToken();
  const [typed, setTyped] = useState<string>();
  const token = mailed ?? typed;
  return token === undefined ? (
    <TokenPrompt onToken={setTyped} />
  ) : (
    <Invitation
      key={token}
      token={token}
      onAnother={() => {
        setTyped(undefined);
      }}
    />
  );
}

function TokenPrompt({ onToken }: { onToken: (token: string) => void }) {
  const submit = useSubmit(({ token = "" }) => {
    onToken(token.trim());
    return Promise.resolve();
  });
  return (
    <AuthLayout title={t`Accept an invitation`} footer={<SignInLink />}>
      <AuthForm submit={submit} action={t`Continue`}>
        <TokenField name="token" />
      </AuthForm>
    </AuthLayout>
  );
}

const SignInLink = () => <AuthLink to="/login">{t`Sign in`}</AuthLink>;

function Invitation({ token, onAnother }: { token: string; onAnother: () => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    // The token is left out of the key: developer tools show query keys.
    queryKey: ["invitation"],
    queryFn: () => request<Offer>("POST", "/api/auth/invitation", { token }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (data) return <InvitationAcceptance token={token} offer={data} />;
  return (
    <AuthLayout title={t`Accept an invitation`} footer={<SignInLink />}>
      {error && !isFetching ? (
        <Stack sx={{ gap: 2 }}>
          <ProblemAlert error={error} retry={() => void refetch()} />
          {t`Ask the person who invited you to resend the invitation.`}
          <Button onClick={onAnother}>{t`Enter a different code`}</Button>
        </Stack>
      ) : (
        <Stack sx={{ gap: 2 }} aria-busy>
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={42} />
        </Stack>
      )}
    </AuthLayout>
  );
}

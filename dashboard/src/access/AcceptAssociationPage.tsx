import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api/client";
import type { Schemas } from "../api/types";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmit } from "../ui/useSubmit";
import { AssociationAcceptance } from "./AssociationAcceptance";
import { AuthForm } from "./AuthForm";
import { AuthLayout } from "./AuthLayout";
import { AuthLink } from "./AuthLink";
import { TokenField } from "./TokenField";
import { useUrlToken } from "./useUrlToken";

const TITLE = t`Receive licenses`;

/** Accepts a vendor's invitation for an institution of the user. */
export default function AcceptAssociationPage() {
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
    <AuthLayout title={TITLE} footer={<AuthLink to="/">{t`Not now`}</AuthLink>}>
      <AuthForm submit={submit} action={t`Continue`}>
        <TokenField name="token" />
      </AuthForm>
    </AuthLayout>
  );
}

function Invitation({ token, onAnother }: { token: string; onAnother: () => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    // The token is left out of the key: developer tools show query keys.
    queryKey: ["association"],
    queryFn: () =>
      request<Schemas["AssociationPreview"]>("POST", "/api/associations/preview", { token }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (data) return <AssociationAcceptance token={token} offer={data} />;
  return (
    <AuthLayout title={TITLE} footer={<AuthLink to="/">{t`Not now`}</AuthLink>}>
      {error && !isFetching ? (
        <Stack sx={{ gap: 2 }}>
          <ProblemAlert error={error} retry={() => void refetch()} />
          {t`Ask the vendor to resend the invitation.`}
          <Button onClick={onAnother}>{t`Enter a different code`}</Button>
        </Stack>
      ) : (
        <Stack sx={{ gap: 2 }} aria-busy>
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={42} />
        </Stack>
      )}
    </AuthLayout>
  );
}

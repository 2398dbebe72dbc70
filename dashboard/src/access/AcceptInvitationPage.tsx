import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api/client";
import { ProblemAlert } from "../ui/ProblemAlert";
import { useSubmit } from "../ui/useSubmit";
import { Acceptance } from "./Acceptance";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";
import type { Offer } from "./offer";
import { TokenField } from "./TokenField";
import { useMailedToken } from "./useMailedToken";

/** Accepts an invitation to join an institution. */
export default function AcceptInvitationPage() {
  const mailed = useMailedToken();
  const [typed, setTyped] = useState<string>();
  const token = mailed ?? typed;
  return token === undefined ? (
    <AskToken onToken={setTyped} />
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

function AskToken({ onToken }: { onToken: (token: string) => void }) {
  const submit = useSubmit(({ token = "" }) => {
    onToken(token.trim());
    return Promise.resolve();
  });
  return (
    <Door title="Accept an invitation" footer={<SignInLink />}>
      <DoorForm submit={submit} action="Continue">
        <TokenField name="token" />
      </DoorForm>
    </Door>
  );
}

const SignInLink = () => <DoorLink to="/login">Sign in</DoorLink>;

function Invitation({ token, onAnother }: { token: string; onAnother: () => void }) {
  const { data, error, isFetching, refetch } = useQuery({
    // The token is left out of the key: developer tools show query keys.
    queryKey: ["invitation"],
    queryFn: () => request<Offer>("POST", "/api/auth/invitation", { token }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (data) return <Acceptance token={token} offer={data} />;
  return (
    <Door title="Accept an invitation" footer={<SignInLink />}>
      {error && !isFetching ? (
        <Stack sx={{ gap: 2 }}>
          <ProblemAlert error={error} retry={() => void refetch()} />
          Ask the person who invited you to resend the invitation.
          <Button onClick={onAnother}>Enter a different code</Button>
        </Stack>
      ) : (
        <Stack sx={{ gap: 2 }} aria-busy>
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={40} />
          <Skeleton variant="rounded" height={42} />
        </Stack>
      )}
    </Door>
  );
}

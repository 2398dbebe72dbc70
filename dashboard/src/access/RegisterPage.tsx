import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import type { Session } from "../api/session";
import { useSubmit } from "../ui/useSubmit";
import { useEntrance } from "../ui/useEntrance";
import { AccountFields } from "./AccountFields";
import { Door } from "./Door";
import { DoorForm } from "./DoorForm";
import { DoorLink } from "./DoorLink";
import { useEnter } from "./useEnter";

/** Makes an account with an institution, where the service is open to everybody. */
export default function RegisterPage() {
  const { data: entrance, isPending } = useEntrance();
  const [session, setSession] = useState<Session>();
  if (isPending) return null;
  if (session) return <Registered session={session} />;
  return entrance?.signUp === "Closed" ? <Closed /> : <Register onSession={setSession} />;
}

const Closed = () => (
  <Door
    title="Sign-up is closed"
    subtitle="People come in by invitation here. Ask an Owner or Admin of your institution to invite you, or the people who run this service."
  >
    <Stack sx={{ gap: 1 }}>
      <Button component={Link} to="/login" variant="contained" size="large">
        Sign in
      </Button>
      <Button component={Link} to="/portal" size="large">
        See a license that you bought
      </Button>
    </Stack>
  </Door>
);

function Register({ onSession }: { onSession: (session: Session | undefined) => void }) {
  const submit = useSubmit(async (given) => {
    const { email = "", password = "", fullName = "", institutionName = "" } = given;
    const body = { email, password, fullName, institutionName };
    onSession((await api.POST("/api/auth/register", { body })).data);
  });
  return (
    <Door
      title="Make an account"
      subtitle="It comes with an institution of your own, to which you can invite others."
      footer={<DoorLink to="/login">You have an account? Sign in</DoorLink>}
    >
      <DoorForm submit={submit} action="Make account">
        <AccountFields submit={submit} />
      </DoorForm>
    </Door>
  );
}

function Registered({ session }: { session: Session }) {
  const enter = useEnter();
  return (
    <Door
      title="Verify your address"
      subtitle={
        <>
          A letter is on its way to <strong>{session.user.email}</strong>. Open the link in it
          within seven days.
        </>
      }
    >
      <Stack sx={{ gap: 2 }}>
        <Alert severity="info">
          You can look around before. Making products and inviting people wait for the verified
          address. Nothing came? Look among unwanted mail.
        </Alert>
        <Button variant="contained" size="large" onClick={() => void enter(session, "/")}>
          Go to the dashboard
        </Button>
      </Stack>
    </Door>
  );
}

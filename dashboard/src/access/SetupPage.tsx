import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { Link } from "react-router";
import { api } from "../api/client";
import { useSubmit } from "../ui/useSubmit";
import { useSetupStatus } from "../ui/useSetupStatus";
import { AccountFields } from "./AccountFields";
import { AuthLayout } from "./AuthLayout";
import { AuthForm } from "./AuthForm";
import { useStartSession } from "./useStartSession";

/** First-run setup: creates the first Owner and their institution. */
export default function SetupPage() {
  const { data: entrance, isPending } = useSetupStatus();
  if (isPending) return null;
  return entrance?.required === false ? <AlreadySetUp /> : <Setup />;
}

const AlreadySetUp = () => (
  <AuthLayout
    title={t`Licet is already set up`}
    subtitle={t`The first Owner has an account and can invite others.`}
  >
    <Button component={Link} to="/login" variant="contained" size="large" fullWidth>
      {t`Sign in`}
    </Button>
  </AuthLayout>
);

function Setup() {
  const enter = useStartSession();
  const submit = useSubmit(async (given) => {
    const { setupToken = "", email = "", password = "" } = given;
    const { fullName = "", institutionName = "" } = given;
    const body = { setupToken: setupToken.trim(), email, password, fullName, institutionName };
    const { data } = await api.POST("/api/auth/setup", { body });
    await enter(data, "/");
  });
  return (
    <AuthLayout
      title={t`Set up Licet`}
      subtitle={t`You become the Owner of the first institution and the system Admin of this service.`}
    >
      <AuthForm submit={submit} action={t`Set up`}>
        <TextField
          {...submit.field("setupToken")}
          label={t`Setup token`}
          helperText={t`Printed by the server when it starts: look in the terminal, or in the log of the service or container. A restart prints a new one.`}
          autoComplete="off"
          required
          autoFocus
          fullWidth
          slotProps={{ htmlInput: { spellCheck: false } }}
        />
        <AccountFields submit={submit} />
      </AuthForm>
    </AuthLayout>
  );
}

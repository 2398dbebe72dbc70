import { t } from "@lingui/core/macro";
import { SetupRequest } from "../api/checks";
import { api } from "../api/client";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { ButtonLink } from "../ui/PageLink";
import { PasswordField } from "../ui/PasswordField";
import { useSetupStatus } from "../ui/useSetupStatus";
import { AuthLayout } from "./AuthLayout";
import { AuthForm, EmailField, InstitutionField, NameField } from "./AuthForm";
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
    <ButtonLink to="/login" variant="contained" size="large" fullWidth>
      {t`Sign in`}
    </ButtonLink>
  </AuthLayout>
);

function Setup() {
  const enter = useStartSession();
  const form = useApiForm({
    values: { setupToken: "", email: "", fullName: "", password: "", institutionName: "" },
    checks: SetupRequest,
    send: async (draft) => {
      const body = { ...draft, setupToken: draft.setupToken.trim() };
      const { data } = await api.POST("/api/auth/setup", { body });
      await enter(data, "/");
    },
  });
  return (
    <AuthLayout
      title={t`Set up Licet`}
      subtitle={t`You become the Owner of the first institution and the system Admin of this service.`}
    >
      <AuthForm form={form} action={t`Set up`}>
        <FormField
          {...form.field("setupToken")}
          label={t`Setup token`}
          helperText={t`Printed by the server when it starts: look in the terminal, or in the log of the service or container. A restart prints a new one.`}
          autoFocus
          input={{ spellCheck: false }}
        />
        <EmailField {...form.field("email")} />
        <NameField {...form.field("fullName")} />
        <PasswordField {...form.field("password")} label={t`Password`} chosen />
        <InstitutionField {...form.field("institutionName")} />
      </AuthForm>
    </AuthLayout>
  );
}

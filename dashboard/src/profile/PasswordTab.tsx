import { t } from "@lingui/core/macro";
import { PasswordChange } from "../api/checks";
import { api } from "../api/client";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { useApiForm } from "../ui/form/useApiForm";
import { Column } from "../ui/layout/layout";
import { PasswordField } from "../ui/PasswordField";
import { Section } from "../ui/Section";
import { notify } from "../ui/toasts/toasts";
import styles from "./profile.module.css";

const NONE = { currentPassword: "", newPassword: "" };

export function PasswordTab() {
  const form = useApiForm({
    values: NONE,
    checks: PasswordChange,
    send: async (body) => {
      await api.POST("/api/auth/password", { body });
      notify(t`Password changed. Your other sessions have been signed out.`, { type: "info" });
    },
  });
  return (
    <Section
      title={t`Change password`}
      subtitle={t`This signs you out on all other devices. You stay signed in here and get an email about the change.`}
    >
      <Form form={form} onDone={() => form.reset(NONE)}>
        <Column gap="l" align="start" className={styles.form}>
          <PasswordField {...form.field("currentPassword")} label={t`Current password`} />
          <PasswordField {...form.field("newPassword")} label={t`New password`} chosen />
          <FormProblem />
          <SubmitButton>{t`Change password`}</SubmitButton>
        </Column>
      </Form>
    </Section>
  );
}

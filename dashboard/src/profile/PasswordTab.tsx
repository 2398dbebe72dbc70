import { t } from "@lingui/core/macro";
import { useState } from "react";
import { api } from "../api/client";
import { PasswordField } from "../ui/PasswordField";
import { Section } from "../ui/Section";
import { useSubmit } from "../ui/useSubmit";
import { ProfileForm } from "./ProfileForm";
import { notify } from "../ui/toasts/toasts";

export function PasswordTab() {
  const [changes, setChanges] = useState(0);
  return (
    <Section
      title={t`Change password`}
      subtitle={t`This signs you out on all other devices. You stay signed in here and get an email about the change.`}
    >
      <PasswordForm
        key={changes}
        onChanged={() => {
          setChanges(changes + 1);
        }}
      />
    </Section>
  );
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const submit = useSubmit(async ({ currentPassword = "", newPassword = "" }) => {
    await api.POST("/api/auth/password", { body: { currentPassword, newPassword } });
    notify(t`Password changed. Your other sessions have been signed out.`, { type: "info" });
    onChanged();
  });
  return (
    <ProfileForm submit={submit} action={t`Change password`}>
      <PasswordField {...submit.field("currentPassword")} label={t`Current password`} />
      <PasswordField {...submit.field("newPassword")} label={t`New password`} chosen />
    </ProfileForm>
  );
}

import { useNotify } from "ra-core";
import { useState } from "react";
import { api } from "../api/client";
import { PasswordField } from "../ui/PasswordField";
import { Section } from "../ui/Section";
import { useSubmit } from "../ui/useSubmit";
import { SettingForm } from "./SettingForm";

export function PasswordTab() {
  const [changes, setChanges] = useState(0);
  return (
    <Section
      title="Change the password"
      subtitle="All your other sessions end, on every device. You stay signed in here, and a letter tells you of the change."
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
  const notify = useNotify();
  const submit = useSubmit(async ({ currentPassword = "", newPassword = "" }) => {
    await api.POST("/api/auth/password", { body: { currentPassword, newPassword } });
    notify("Your password is changed, and your other sessions have ended.", { type: "info" });
    onChanged();
  });
  return (
    <SettingForm submit={submit} action="Change password">
      <PasswordField {...submit.field("currentPassword")} label="Present password" />
      <PasswordField {...submit.field("newPassword")} label="New password" chosen />
    </SettingForm>
  );
}

import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import { RegisterPasskeyRequest } from "../api/checks";
import { api } from "../api/client";
import { createPasskey } from "../api/passkeys";
import { FormDialog } from "../ui/form/FormDialog";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";

interface AddPasskeyDialogProps {
  onAdded: (recoveryCodes: string[] | null) => Promise<void>;
  onClose: () => void;
}

/** Names a passkey and has the browser create it. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const form = useApiForm({
    values: { name: "" },
    checks: RegisterPasskeyRequest,
    send: async ({ name }) => {
      const { data: options } = await api.POST("/api/auth/passkeys/options");
      if (!options) return;
      const credential = await createPasskey(options);
      const body = { name, credential };
      const { data } = await api.POST("/api/auth/passkeys/register", { body });
      await onAdded(data?.recoveryCodes ?? null);
    },
  });
  return (
    <FormDialog form={form} title={t`Add a passkey`} action={t`Continue`} onClose={onClose}>
      <DialogContentText>
        {t`Your browser asks you next. From then on, signing in with your password also asks for a second factor.`}
      </DialogContentText>
      <FormField
        {...form.field("name")}
        label={t`Name`}
        helperText={t`A name to recognize it by, for example “Work laptop”.`}
        autoFocus
      />
    </FormDialog>
  );
}

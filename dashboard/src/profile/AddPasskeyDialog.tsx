import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { api } from "../api/client";
import { createPasskey } from "../api/passkeys";
import { FormDialog } from "../ui/FormDialog";
import { FormField } from "../ui/Form";

interface AddPasskeyDialogProps {
  onAdded: (recoveryCodes: string[] | null) => Promise<void>;
  onClose: () => void;
}

/** Names a passkey and has the browser create it. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={t`Add a passkey`}
      action={t`Continue`}
      onClose={onClose}
      onSubmit={async () => {
        const { data: options } = await api.POST("/api/auth/passkeys/options");
        if (!options) return;
        const credential = await createPasskey(options);
        const body = { name, credential };
        const { data } = await api.POST("/api/auth/passkeys/register", { body });
        await onAdded(data?.recoveryCodes ?? null);
      }}
    >
      <DialogContentText>
        {t`Your browser asks you next. From then on, signing in with your password also asks for a second factor.`}
      </DialogContentText>
      <FormField
        name="name"
        label={t`Name`}
        helperText={t`To tell it from others, for example “Work laptop”.`}
        value={name}
        onValue={setName}
        required
        autoFocus
        slotProps={{ htmlInput: { maxLength: 100 } }}
      />
    </FormDialog>
  );
}

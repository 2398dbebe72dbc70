import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { api } from "../api/client";
import { answerPasskey, hasPasskeys } from "../api/passkeys";
import { FormDialog } from "./FormDialog";
import { PasswordField } from "./PasswordField";
import { ProblemAlert } from "./ProblemAlert";
import { useSubmission } from "./useSubmission";

interface StepUpDialogProps {
  /** What the server takes as a proof. */
  methods: string[];
  onAnswer: (isProved: boolean) => void;
}

/** Takes the password, or a code of the second factor, for an action that is hard to undo. */
export default function StepUpDialog({ methods, onAnswer }: StepUpDialogProps) {
  // A passkey comes with recovery codes, which count as codes.
  const hasCode = methods.includes("Otp") || methods.includes("Passkey");
  const hasChoice = hasCode && methods.includes("Password");
  const [byCode, setByCode] = useState(hasCode && !hasChoice);
  const [text, setText] = useState("");
  const { attempt, run } = useSubmission();
  const confirmByPasskey = async () => {
    const { data: options } = await api.POST("/api/auth/step-up/options");
    if (!options) return;
    const passkey = await answerPasskey(options);
    await api.POST("/api/auth/step-up", { body: { passkey } });
    onAnswer(true);
  };
  const typed = {
    value: text,
    autoFocus: true,
    required: true,
    fullWidth: true,
    onChange: (event: { target: { value: string } }) => {
      setText(event.target.value);
    },
  };
  return (
    <FormDialog
      title={t`Confirm it is you`}
      action={t`Confirm`}
      onClose={() => {
        onAnswer(false);
      }}
      onSubmit={async () => {
        const body = byCode ? { otpCode: text } : { password: text };
        await api.POST("/api/auth/step-up", { body });
        onAnswer(true);
      }}
    >
      <DialogContentText>
        {hasCode && !hasChoice
          ? t`This takes your second factor: enter a code from your authenticator app, or a recovery code.`
          : t`What you are about to do is hard to undo. You will not be asked again for 15 minutes.`}
      </DialogContentText>
      {byCode ? (
        <TextField
          {...typed}
          key="code"
          label={t`Authentication or recovery code`}
          autoComplete="one-time-code"
        />
      ) : (
        <PasswordField {...typed} key="password" label={t`Your password`} />
      )}
      {methods.includes("Passkey") && hasPasskeys() && (
        <Button
          variant="outlined"
          loading={attempt.busy}
          onClick={() => {
            void run(confirmByPasskey);
          }}
        >
          {t`Use a passkey`}
        </Button>
      )}
      {methods.includes("Provider") && (
        <DialogContentText>
          {t`Or sign out, and sign in again through your identity provider.`}
        </DialogContentText>
      )}
      {attempt.error !== null && <ProblemAlert error={attempt.error} />}
      {hasChoice && (
        <Button
          size="small"
          sx={{ alignSelf: "flex-start" }}
          onClick={() => {
            setByCode(!byCode);
            setText("");
          }}
        >
          {byCode ? t`Use your password` : t`Use a code`}
        </Button>
      )}
    </FormDialog>
  );
}

import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import { useState } from "react";
import { StepUpRequest } from "../api/checks";
import { api } from "../api/client";
import { answerPasskey, hasPasskeys } from "../api/passkeys";
import type { Schemas } from "../api/types";
import { FormDialog } from "./form/FormDialog";
import { FormField } from "./form/FormField";
import { useApiForm } from "./form/useApiForm";
import { PasswordField } from "./PasswordField";
import { ProblemAlert } from "./ProblemAlert";
import { useSubmission } from "./useSubmission";

interface StepUpDialogProps {
  /** What the server takes as a proof. */
  methods: string[];
  onAnswer: (isProved: boolean) => void;
}

const NONE = { password: "", otpCode: "" };

/** Takes the password, or a code of the second factor, for an action that is hard to undo. */
export default function StepUpDialog({ methods, onAnswer }: StepUpDialogProps) {
  // A passkey comes with recovery codes, which count as codes.
  const hasCode = methods.includes("Otp") || methods.includes("Passkey");
  const hasChoice = hasCode && methods.includes("Password");
  const [byCode, setByCode] = useState(hasCode && !hasChoice);
  const { attempt, run } = useSubmission();
  const prove = async (body: Schemas["StepUpRequest"]) => {
    await api.POST("/api/auth/step-up", { body });
    onAnswer(true);
  };
  const confirmByPasskey = async () => {
    const { data: options } = await api.POST("/api/auth/step-up/options");
    if (options) await prove({ passkey: await answerPasskey(options) });
  };
  const form = useApiForm({
    values: NONE,
    checks: StepUpRequest,
    send: ({ password, otpCode }) => prove(byCode ? { otpCode } : { password }),
  });
  const { field } = form;
  return (
    <FormDialog
      form={form}
      title={t`Confirm it is you`}
      action={t`Confirm`}
      onClose={() => onAnswer(false)}
    >
      <DialogContentText>
        {hasCode && !hasChoice
          ? t`This step needs your second factor: enter a code from your authenticator app, or a recovery code.`
          : t`What you are about to do is hard to undo. You will not be asked again for 15 minutes.`}
      </DialogContentText>
      {byCode ? (
        <FormField
          {...field("otpCode")}
          key="code"
          label={t`Authentication or recovery code`}
          autoComplete="one-time-code"
          autoFocus
          required
        />
      ) : (
        <PasswordField {...field("password")} key="password" label={t`Your password`} autoFocus />
      )}
      {methods.includes("Passkey") && hasPasskeys() && (
        <Button
          variant="outlined"
          loading={attempt.busy}
          onClick={() => void run(confirmByPasskey)}
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
        <div>
          <Button
            size="small"
            onClick={() => {
              setByCode(!byCode);
              form.reset(NONE);
            }}
          >
            {byCode ? t`Use your password` : t`Use a code`}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { api } from "../api/client";
import { FormDialog } from "./FormDialog";
import { PasswordField } from "./PasswordField";

interface StepUpDialogProps {
  /** What the server takes as a proof. */
  methods: string[];
  onAnswer: (isProved: boolean) => void;
}

/** Takes the password, or a code of the second factor, for an action that is hard to undo. */
export default function StepUpDialog({ methods, onAnswer }: StepUpDialogProps) {
  const hasCode = methods.includes("Otp");
  const hasChoice = hasCode && methods.includes("Password");
  const [byCode, setByCode] = useState(hasCode && !hasChoice);
  const [text, setText] = useState("");
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
      title="Confirm it is you"
      action="Confirm"
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
          ? "This takes your second factor: enter a code from your authenticator app, or a recovery code."
          : "What you are about to do is hard to undo. You will not be asked again for 15 minutes."}
      </DialogContentText>
      {byCode ? (
        <TextField
          {...typed}
          key="code"
          label="Authentication or recovery code"
          autoComplete="one-time-code"
        />
      ) : (
        <PasswordField {...typed} key="password" label="Your password" />
      )}
      {hasChoice && (
        <Button
          size="small"
          sx={{ alignSelf: "flex-start" }}
          onClick={() => {
            setByCode(!byCode);
            setText("");
          }}
        >
          {byCode ? "Use your password" : "Use a code"}
        </Button>
      )}
    </FormDialog>
  );
}

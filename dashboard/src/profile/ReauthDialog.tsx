import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import type { Schemas } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { PasswordField } from "../ui/PasswordField";

interface ReauthDialogProps {
  title: string;
  consequence: string;
  action: string;
  danger?: boolean;
  onProof: (proof: Schemas["FactorProof"]) => Promise<void>;
  onClose: () => void;
}

/** A confirmation that requires the user's password or an authentication code. */
export function ReauthDialog({ onProof, ...dialog }: ReauthDialogProps) {
  const [byCode, setByCode] = useState(false);
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
    <ConfirmDialog
      {...dialog}
      onConfirm={() => onProof(byCode ? { otpCode: text } : { password: text })}
    >
      {byCode ? (
        <TextField {...typed} key="code" label="Authentication code" autoComplete="one-time-code" />
      ) : (
        <PasswordField {...typed} key="password" label="Your password" />
      )}
      <Button
        size="small"
        sx={{ alignSelf: "flex-start" }}
        onClick={() => {
          setByCode(!byCode);
          setText("");
        }}
      >
        {byCode ? "Use password instead" : "Use a code instead"}
      </Button>
    </ConfirmDialog>
  );
}

import { t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useState } from "react";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Association } from "./association";

interface InviteDialogProps {
  productId: string;
  onInvited: (association: Association) => void;
  onClose: () => void;
}

/** Invites an institution: by the e-mail address of someone there, or by its ID. */
export function InviteDialog({ productId, onInvited, onClose }: InviteDialogProps) {
  const [by, setBy] = useState<"email" | "institutionId">("email");
  const [email, setEmail] = useState("");
  const [institutionId, setInstitutionId] = useState("");
  const notifyChanged = useNotifyChanged();
  const invite = async () => {
    const { data } = await api.POST("/api/products/{productId}/associations", {
      params: { path: { productId } },
      body: by === "email" ? { email: email.trim() } : { institutionId: institutionId.trim() },
    });
    if (!data) return;
    notifyChanged(t`Invitation sent to ${nameOf(data)}.`);
    onInvited(data);
  };
  return (
    <FormDialog
      title={t`Invite institution`}
      action={t`Invite institution`}
      onSubmit={invite}
      onClose={onClose}
    >
      <RadioGroup
        row
        aria-label={t`Invite by`}
        value={by}
        onChange={(_, value) => {
          setBy(value as typeof by);
        }}
      >
        <FormControlLabel value="email" control={<Radio />} label={t`By email`} />
        <FormControlLabel value="institutionId" control={<Radio />} label={t`By institution ID`} />
      </RadioGroup>
      {by === "email" ? (
        <FormField
          name="email"
          type="email"
          label={t`Email address`}
          required
          autoFocus
          value={email}
          onValue={setEmail}
          helperText={t`Of an Owner, or of someone who passes the link on to one.`}
          slotProps={{ htmlInput: { maxLength: 254 } }}
        />
      ) : (
        <FormField
          name="institutionId"
          label={t`Institution ID`}
          required
          autoFocus
          value={institutionId}
          onValue={setInstitutionId}
          helperText={t`The customer finds it under Institutions. Only this institution can accept.`}
          slotProps={{ htmlInput: { maxLength: 36 } }}
        />
      )}
    </FormDialog>
  );
}

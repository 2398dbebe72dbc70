import { t } from "@lingui/core/macro";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { AssociationRequest } from "../../api/checks";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { useNotifyChanged } from "../../ui/useNotifyChanged";
import { nameOf, type Association } from "./association";

interface Invitation {
  by: "email" | "institutionId";
  email: string;
  institutionId: string;
}

const NONE: Invitation = { by: "email", email: "", institutionId: "" };

const bodyOf = ({ by, email, institutionId }: Invitation) =>
  by === "email" ? { email: email.trim() } : { institutionId: institutionId.trim() };

interface InviteDialogProps {
  productId: string;
  onInvited: (association: Association) => void;
  onClose: () => void;
}

/** Invites an institution: by the e-mail address of someone there, or by its ID. */
export function InviteDialog({ productId, onInvited, onClose }: InviteDialogProps) {
  const notifyChanged = useNotifyChanged();
  const form = useApiForm({
    values: NONE,
    checks: AssociationRequest,
    send: async (invitation) => {
      const { data } = await api.POST("/api/products/{productId}/associations", {
        params: { path: { productId } },
        body: bodyOf(invitation),
      });
      if (!data) return;
      notifyChanged(t`Invitation sent to ${nameOf(data)}.`);
      onInvited(data);
    },
  });
  const by = useField(form.field("by"));
  return (
    <FormDialog
      form={form}
      title={t`Invite institution`}
      action={t`Invite institution`}
      onClose={onClose}
    >
      <RadioGroup row aria-label={t`Invite by`} value={by.value} onChange={by.set}>
        <FormControlLabel value="email" control={<Radio />} label={t`By email`} />
        <FormControlLabel value="institutionId" control={<Radio />} label={t`By institution ID`} />
      </RadioGroup>
      {by.value === "email" ? (
        <FormField
          key="email"
          {...form.field("email")}
          type="email"
          label={t`Email address`}
          required
          autoFocus
          helperText={t`The address of an Owner, or of someone who can forward the link to one.`}
        />
      ) : (
        <FormField
          key="institutionId"
          {...form.field("institutionId")}
          label={t`Institution ID`}
          required
          autoFocus
          demand={{ maxLength: 36 }}
          helperText={t`The customer finds it under Institutions. Only this institution can accept.`}
        />
      )}
    </FormDialog>
  );
}

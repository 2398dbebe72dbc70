import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import MenuItem from "@mui/material/MenuItem";
import { api } from "../../api/client";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { notify } from "../../ui/toasts/toasts";

const MAILBOXES = ["admin", "administrator", "hostmaster", "postmaster", "webmaster"];

interface MailDomainDialogProps {
  institutionId: string;
  domain: string;
  onClose: () => void;
}

/** Has a token e-mailed to whoever runs the domain. */
export function MailDomainDialog({ institutionId, domain, onClose }: MailDomainDialogProps) {
  const addresses = MAILBOXES.map((name) => `${name}@${domain}`);
  const form = useApiForm({
    values: { email: `admin@${domain}` },
    send: async ({ email }) => {
      const params = { path: { institutionId } };
      const body = { domain, email };
      await api.POST("/api/institutions/{institutionId}/sso/domains/email", { params, body });
      notify(t`Email sent to ${email}.`, { type: "info" });
    },
  });
  return (
    <FormDialog form={form} title={t`Confirm ${domain}`} action={t`Send email`} onClose={onClose}>
      <DialogContentText>
        {t`The operator of the domain gets an email with a link that confirms it. Only these mailboxes can be used, because no one else can read them.`}
      </DialogContentText>
      <FormField {...form.field("email")} select label={t`Mailbox`}>
        {addresses.map((address) => (
          <MenuItem key={address} value={address}>
            {address}
          </MenuItem>
        ))}
      </FormField>
    </FormDialog>
  );
}

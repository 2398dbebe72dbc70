import { t } from "@lingui/core/macro";
import DialogContentText from "@mui/material/DialogContentText";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { api } from "../../api/client";
import { FormField } from "../../ui/Form";
import { FormDialog } from "../../ui/FormDialog";
import { notify } from "../../ui/toasts/toasts";

const MAILBOXES = ["admin", "administrator", "hostmaster", "postmaster", "webmaster"];

interface MailDomainDialogProps {
  institutionId: string;
  domain: string;
  onClose: () => void;
}

/** Has a token e-mailed to whoever runs the domain. */
export function MailDomainDialog({ institutionId, domain, onClose }: MailDomainDialogProps) {
  const [mailbox, setMailbox] = useState("admin");
  return (
    <FormDialog
      title={t`Confirm ${domain}`}
      action={t`Send email`}
      onClose={onClose}
      onSubmit={async () => {
        const email = `${mailbox}@${domain}`;
        const params = { path: { institutionId } };
        const body = { domain, email };
        await api.POST("/api/institutions/{institutionId}/sso/domains/email", { params, body });
        notify(t`Email sent to ${email}.`, { type: "info" });
      }}
    >
      <DialogContentText>
        {t`Whoever runs the domain gets an email with a link that confirms it. Only these mailboxes can be used, because nobody else reads them.`}
      </DialogContentText>
      <FormField name="email" select label={t`Mailbox`} value={mailbox} onValue={setMailbox}>
        {MAILBOXES.map((name) => (
          <MenuItem key={name} value={name}>
            {name}@{domain}
          </MenuItem>
        ))}
      </FormField>
    </FormDialog>
  );
}

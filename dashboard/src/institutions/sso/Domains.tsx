import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import DialogContentText from "@mui/material/DialogContentText";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemText from "@mui/material/ListItemText";
import { useState } from "react";
import { api, at } from "../../api/client";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { StatusChip } from "../../ui/StatusChip";
import { notify } from "../../ui/toasts/toasts";
import { useInstitution } from "../../ui/useInstitution";
import type { ConnectedProps } from "./connection";
import styles from "./sso.module.css";

/** The domains of the connection, and how to confirm those that are not yet. */
export function Domains({ institutionId, connection }: ConnectedProps) {
  const [mailed, setMailed] = useState<string>();
  const [vouched, setVouched] = useState<string>();
  const { profile } = useInstitution();
  return (
    <>
      <List disablePadding aria-label={t`Domains`}>
        {connection.domains.map((domain) => {
          const isConfirmed = connection.confirmedDomains.includes(domain);
          return (
            <ListItem key={domain} disableGutters divider className={styles.domain}>
              <ListItemText primary={domain} />
              <StatusChip status={isConfirmed ? "Confirmed" : "Unconfirmed"} />
              {!isConfirmed && (
                <Button
                  size="small"
                  aria-label={t`Confirm by email: ${domain}`}
                  onClick={() => setMailed(domain)}
                >
                  {t`Confirm by email`}
                </Button>
              )}
              {!isConfirmed && profile?.isSystemAdmin && (
                <Button
                  size="small"
                  aria-label={t`Mark as confirmed: ${domain}`}
                  onClick={() => setVouched(domain)}
                >
                  {t`Mark as confirmed`}
                </Button>
              )}
            </ListItem>
          );
        })}
      </List>
      {mailed && (
        <MailDomainDialog
          institutionId={institutionId}
          domain={mailed}
          onClose={() => setMailed(undefined)}
        />
      )}
      {vouched && (
        <VouchDialog
          institutionId={institutionId}
          domain={vouched}
          onClose={() => setVouched(undefined)}
        />
      )}
    </>
  );
}

interface VouchDialogProps {
  institutionId: string;
  domain: string;
  onClose: () => void;
}

function VouchDialog({ institutionId, domain, onClose }: VouchDialogProps) {
  return (
    <ConfirmDialog
      title={t`Mark ${domain} as confirmed?`}
      action={t`Mark as confirmed`}
      consequence={t`From then on, this institution's identity provider can sign in as anyone with an address in ${domain}. Do this only if you know that the domain belongs to the institution.`}
      onClose={onClose}
      onConfirm={() =>
        api.POST("/api/institutions/{institutionId}/sso/domains/confirm", {
          ...at({ institutionId }),
          body: { domain },
        })
      }
      done={t`Domain confirmed.`}
    />
  );
}

const MAILBOXES = ["admin", "administrator", "hostmaster", "postmaster", "webmaster"];

interface MailDomainDialogProps {
  institutionId: string;
  domain: string;
  onClose: () => void;
}

/** Emails a token to the administrator of the domain. */
function MailDomainDialog({ institutionId, domain, onClose }: MailDomainDialogProps) {
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
      <FormField
        {...form.field("email")}
        label={t`Mailbox`}
        options={addresses.map((address) => [address, address] as const)}
      />
    </FormDialog>
  );
}

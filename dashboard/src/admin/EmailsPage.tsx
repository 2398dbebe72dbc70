import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Link from "@mui/material/Link";
import { useState } from "react";
import type { Schemas } from "../api/types";
import { CopyButton } from "../ui/CopyButton";
import { EmptyState } from "../ui/EmptyState";
import { dateTime } from "../ui/formats";
import { MailIcon } from "../ui/icons";
import { Column } from "../ui/layout/layout";
import { DataList } from "../ui/list/DataList";
import { useListContext } from "../ui/list/useList";
import { Muted } from "../ui/Muted";
import { Page } from "../ui/Page";
import { Table } from "../ui/table/Table";
import styles from "./admin.module.css";

type Mail = Schemas["Mail"];

/** The emails sent by the service. */
export default function EmailsPage() {
  const [opened, setOpened] = useState<Mail>();
  return (
    <Page
      title={t`Emails of the service`}
      subtitle={t`Emails created in the last 30 days, newest first. The text of an email is deleted once it is sent.`}
    >
      <DataList path="mails" sort="-createdAt" empty={<NoEmails />}>
        <Hint />
        <Table<Mail>
          label={t`Emails of the service`}
          columns={[
            {
              key: "subject",
              label: t`Email`,
              cell: (mail) => <Letter mail={mail} onOpen={() => setOpened(mail)} />,
            },
            { key: "status", label: t`Status`, as: "status" },
            {
              key: "createdAt",
              label: t`Created`,
              sort: true,
              fits: true,
              as: "dateTime",
            },
            { key: "sentAt", label: t`Sent`, fits: true, as: "dateTime" },
          ]}
        />
      </DataList>
      {opened && <EmailDialog mail={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

const NoEmails = () => (
  <EmptyState icon={<MailIcon />} title={t`No emails yet`}>
    {t`Invitations, password resets and notifications sent by the service appear here.`}
  </EmptyState>
);

/** Explains why emails are waiting, if any are. */
function Hint() {
  const { items: data } = useListContext<Mail>();
  if (!data?.some((mail) => mail.status === "Waiting")) return null;
  return (
    <Alert severity="info" className={styles.hint}>
      <Trans>
        Emails are not sent until a mail server is configured. Until then you can copy their text.
        To send them, start the service with <code>LICET_SMTP_URL</code>, for example{" "}
        <code>smtp://user:password@mail.example.com:587</code>, and <code>LICET_MAIL_FROM</code>,
        the sender address.
      </Trans>
    </Alert>
  );
}

const Letter = ({ mail, onOpen }: { mail: Mail; onOpen: () => void }) => (
  <>
    {mail.text === null ? (
      mail.subject
    ) : (
      <Link component="button" onClick={onOpen} className={styles.subject}>
        {mail.subject}
      </Link>
    )}
    <Muted className={styles.address}>{mail.recipient}</Muted>
  </>
);

interface EmailDialogProps {
  mail: Schemas["Mail"];
  onClose: () => void;
}

/** An email as plain text, so that its links are not clickable. */
const EmailDialog = ({ mail, onClose }: EmailDialogProps) => (
  <Dialog open onClose={onClose} aria-labelledby="letter-title">
    <DialogTitle id="letter-title">{mail.subject}</DialogTitle>
    <DialogContent>
      <Column gap="l">
        <div className={styles.recipient}>
          {t`To ${{ recipient: mail.recipient }}, ${{ moment: dateTime(mail.createdAt) }}`}
        </div>
        <Alert severity="warning">
          {t`Links in this email are for its recipient only: anyone who opens them acts as the recipient.`}
        </Alert>
        <pre className={styles.text}>{mail.text}</pre>
      </Column>
    </DialogContent>
    <DialogActions>
      <CopyButton value={mail.text ?? ""} label={t`Copy email`} />
      <Button variant="contained" onClick={onClose}>
        {t`Close`}
      </Button>
    </DialogActions>
  </Dialog>
);

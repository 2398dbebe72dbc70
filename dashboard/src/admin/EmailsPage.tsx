import MailIcon from "@mui/icons-material/MailOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useListContext } from "ra-core";
import { useState } from "react";
import { DataTable } from "react-admin";
import type { Schemas } from "../api/types";
import { DataList } from "../ui/DataList";
import { EmptyState } from "../ui/EmptyState";
import { dateTime } from "../ui/formats";
import { Page } from "../ui/Page";
import { StatusChip } from "../ui/StatusChip";
import { EmailDialog } from "./EmailDialog";

type Mail = Schemas["Mail"];

const HIDDEN_ON_PHONES = { display: { xs: "none", sm: "table-cell" } };

/** The emails sent by the service. */
export default function EmailsPage() {
  const [opened, setOpened] = useState<Mail>();
  return (
    <Page
      title="Emails"
      subtitle="Emails created in the last 30 days, newest first. The text of an email is deleted once it is sent."
    >
      <DataList<Mail>
        resource="mails"
        sort={{ field: "createdAt", order: "DESC" }}
        empty={<NoEmails />}
      >
        <Hint />
        <DataTable<Mail> bulkActionButtons={false} rowClick={false}>
          <DataTable.Col<Mail>
            label="Email"
            source="subject"
            disableSort
            render={(mail) => (
              <Letter
                mail={mail}
                onOpen={() => {
                  setOpened(mail);
                }}
              />
            )}
          />
          <DataTable.Col<Mail>
            label="Status"
            source="status"
            disableSort
            render={({ status }) => <StatusChip status={status} />}
          />
          <DataTable.Col<Mail>
            label="Created"
            source="createdAt"
            sx={HIDDEN_ON_PHONES}
            render={({ createdAt }) => <Moment at={createdAt} />}
          />
          <DataTable.Col<Mail>
            label="Sent"
            source="sentAt"
            disableSort
            sx={HIDDEN_ON_PHONES}
            render={({ sentAt }) => (sentAt ? <Moment at={sentAt} /> : "—")}
          />
        </DataTable>
      </DataList>
      {opened && (
        <EmailDialog
          mail={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </Page>
  );
}

const Moment = ({ at }: { at: string }) => (
  <Box component="span" sx={{ whiteSpace: "nowrap" }}>
    {dateTime(at)}
  </Box>
);

const NoEmails = () => (
  <EmptyState icon={<MailIcon />} title="No emails yet">
    Invitations, password resets and notifications sent by the service appear here.
  </EmptyState>
);

/** Explains why emails are waiting, if any are. */
function Hint() {
  const { data } = useListContext<Mail>();
  if (!data?.some((mail) => mail.status === "Waiting")) return null;
  return (
    <Alert severity="info" sx={{ borderRadius: 0, overflowWrap: "anywhere" }}>
      Emails are not sent until a mail server is configured. Until then you can copy their text. To
      send them, start the service with <code>LICET_SMTP_URL</code>, for example{" "}
      <code>smtp://user:password@mail.example.com:587</code>, and <code>LICET_MAIL_FROM</code>, the
      sender address.
    </Alert>
  );
}

const Letter = ({ mail, onOpen }: { mail: Mail; onOpen: () => void }) => (
  <>
    {mail.text === null ? (
      mail.subject
    ) : (
      <Link component="button" onClick={onOpen} sx={{ textAlign: "start", minHeight: 24 }}>
        {mail.subject}
      </Link>
    )}
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ overflowWrap: "anywhere", minWidth: 160 }}
    >
      {mail.recipient}
    </Typography>
  </>
);

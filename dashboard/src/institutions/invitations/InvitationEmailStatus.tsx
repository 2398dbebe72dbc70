import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";
import type { Invitation } from "./invitation";

type Status = Schemas["MailStatus"];

const STATUS_ALERTS: Record<Status, [severity: "success" | "info" | "warning", sentence: string]> =
  {
    Sent: ["success", t`Email sent.`],
    Waiting: [
      "info",
      t`The email has not been sent yet. If no mail server is configured it never will be: share the link instead.`,
    ],
    Failed: ["warning", t`The email could not be sent. Share the link instead.`],
  };

const ASKED_EVERY_MS = 3_000;

/** Delivery status of the latest email to the address; visible to system Admins only. */
function Sending({ email }: { email: string }) {
  const { data } = $api.useQuery(
    "get",
    "/api/mails",
    { params: { query: { pageSize: 100, sort: "-createdAt" } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  const letter = data?.items.find((item) => item.recipient === email);
  const [severity, sentence] = STATUS_ALERTS[letter?.status ?? "Waiting"];
  return (
    <Alert severity={severity}>
      {sentence}{" "}
      <Link component={RouterLink} to="/mails" color="inherit">
        {t`Emails`}
      </Link>
    </Alert>
  );
}

/** Delivery status of the invitation email. */
export function InvitationEmailStatus({ invitation }: { invitation: Invitation }) {
  const { profile } = useInstitution();
  if (invitation.status !== "Pending") return null;
  if (profile?.isSystemAdmin) return <Sending email={invitation.email} />;
  return (
    <Alert severity="info">
      {t`An email with its own link goes to ${{ email: invitation.email }}. If this service has no mail server configured, share the link below instead.`}
    </Alert>
  );
}

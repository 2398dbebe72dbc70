import Alert from "@mui/material/Alert";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { $api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { useInstitution } from "../../ui/useInstitution";
import type { Invitation } from "./invitation";

type Status = Schemas["MailStatus"];

const TOLD: Record<Status, [severity: "success" | "info" | "warning", sentence: string]> = {
  Sent: ["success", "The letter went out."],
  Waiting: [
    "info",
    "The letter waits to be sent. Where no mail server is set up it stays so: hand over the link.",
  ],
  Failed: ["warning", "The letter could not be sent. Hand over the link."],
};

const ASKED_EVERY_MS = 3_000;

/** How far the newest letter to the address is, which a system Admin is told. */
function Sending({ email }: { email: string }) {
  const { data } = $api.useQuery(
    "get",
    "/api/mails",
    { params: { query: { pageSize: 100, sort: "-createdAt" } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  const letter = data?.items.find((item) => item.recipient === email);
  const [severity, sentence] = TOLD[letter?.status ?? "Waiting"];
  return (
    <Alert severity={severity}>
      {sentence}{" "}
      <Link component={RouterLink} to="/mails" color="inherit">
        Mail
      </Link>
    </Alert>
  );
}

/** Whether a letter is on its way. */
export function Letter({ invitation }: { invitation: Invitation }) {
  const { profile } = useInstitution();
  if (invitation.status !== "Pending") return null;
  if (profile?.isSystemAdmin) return <Sending email={invitation.email} />;
  return (
    <Alert severity="info">
      A letter with a link of its own is written to {invitation.email}. It arrives where this
      service has a mail server; else hand over the link below.
    </Alert>
  );
}

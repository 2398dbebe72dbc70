import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Problem } from "../api/problem";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Timeline } from "../ui/Timeline";
import { notify } from "../ui/toasts/toasts";
import { Part } from "./Part";

const LIMIT = new Problem(409, {
  detail: "All 5 seats are taken. Free one, or add seats to the license.",
  errorCode: "PlanLimitReached",
  requestId: "01a200ef-b093-7e7e",
});

const EVENTS = [
  { id: "1", kind: "license.suspended", occurredAt: "2026-03-17T15:00:00Z", actor: "Ada Owner" },
  { id: "2", kind: "activation.created", occurredAt: "2026-03-16T17:20:00Z", subject: "Studio 4" },
  { id: "3", kind: "license.created", occurredAt: "2026-03-14T09:30:00Z", actor: "API key Shop" },
];

/** What the dashboard says, and asks. */
export function Feedback() {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Part title="Messages" isStacked>
        <Alert severity="success">The license works again.</Alert>
        <Alert severity="info">Emails are not sent until a mail server is configured.</Alert>
        <Alert severity="warning">Another machine tried to use this license.</Alert>
        <ProblemAlert error={LIMIT} retry={close} />
      </Part>
      <Part title="Toasts and dialogs">
        <Button
          variant="outlined"
          onClick={() =>
            notify("License suspended.", { type: "success", undo: () => Promise.resolve() })
          }
        >
          Toast with undo
        </Button>
        <Button variant="outlined" onClick={() => setAsking(true)}>
          Dialog
        </Button>
        {isAsking && (
          <ConfirmDialog
            title="Revoke license?"
            consequence="You can restore the license for 24 hours."
            action="Revoke license"
            typed="Workstation 7"
            danger
            onConfirm={() => Promise.resolve()}
            onClose={close}
          />
        )}
      </Part>
      <Part title="Timeline" isStacked>
        <Timeline events={EVENTS} />
      </Part>
    </>
  );
}

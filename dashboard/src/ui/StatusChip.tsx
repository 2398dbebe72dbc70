import Chip from "@mui/material/Chip";
import { words } from "./labels";

type Tone = "success" | "warning" | "error" | "info" | "default";

const TONES: Record<string, Tone> = {
  Active: "success",
  Accepted: "success",
  On: "success",
  Sent: "success",
  Verified: "success",
  Confirmed: "success",
  Delivered: "success",
  Live: "success",
  Published: "success",
  Valid: "success",
  Enabled: "success",
  "Not verified": "warning",
  Unconfirmed: "warning",
  Pending: "warning",
  Waiting: "warning",
  Retrying: "warning",
  Released: "warning",
  Suspended: "warning",
  Draft: "info",
  Blocked: "error",
  Disabled: "error",
  Expired: "error",
  Failed: "error",
  Revoked: "error",
  Yanked: "error",
};

/** A status as a colored chip; the color only repeats what the text says. */
export const StatusChip = ({ status, tone }: { status: string; tone?: Tone }) => (
  <Chip size="small" label={words(status)} color={tone ?? TONES[status] ?? "default"} />
);

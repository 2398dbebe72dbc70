/**
 * What a status means, everywhere the same: works, waits for somebody, does not work, new, over.
 * The tones are those of `theme/tokens.css`.
 */
export type Tone = "good" | "wait" | "bad" | "news" | "over";

const TONES: Record<string, Tone> = {
  Active: "good",
  Accepted: "good",
  Associated: "good",
  On: "good",
  Sent: "good",
  Verified: "good",
  Confirmed: "good",
  Delivered: "good",
  Live: "good",
  Published: "good",
  Ready: "good",
  Fulfilled: "good",
  Processed: "good",
  Valid: "good",
  Enabled: "good",
  "This session": "good",
  Missing: "wait",
  "Not verified": "wait",
  Unconfirmed: "wait",
  Pending: "wait",
  Waiting: "wait",
  Retrying: "wait",
  Released: "wait",
  Unmatched: "wait",
  Suspended: "wait",
  Draft: "news",
  Invited: "news",
  Open: "news",
  Blocked: "bad",
  Disabled: "bad",
  Failed: "bad",
  Revoked: "bad",
  Yanked: "bad",
  Expired: "over",
  Canceled: "over",
  Refunded: "over",
  Ignored: "over",
  Ended: "over",
  Off: "over",
};

export const toneOf = (status: string): Tone => TONES[status] ?? "over";

/** The color of a status in a chart. */
export const fillOf = (status: string): string => `var(--${toneOf(status)}-fill)`;

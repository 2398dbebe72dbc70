import { t } from "@lingui/core/macro";
import { PLAN_LABELS, ROLE_LABELS, words } from "./labels";

/**
 * What a status means, everywhere the same: works, waits for somebody, does not work, new, over.
 * The tones are those of `theme/tokens.css`.
 */
export type Tone = "good" | "wait" | "bad" | "news" | "over";

type Entry = readonly [label: string, tone?: Tone];

/** The words and the tone of each status, and the words of what else stands in a chip. */
const STATUSES: Partial<Record<string, Entry>> = {
  Active: [t`Active`, "good"],
  Accepted: [t`Accepted`, "good"],
  Associated: [t`Associated`, "good"],
  On: [t({ message: "On", context: "status" }), "good"],
  Sent: [t`Sent`, "good"],
  Verified: [t`Verified`, "good"],
  Confirmed: [t`Confirmed`, "good"],
  Delivered: [t`Delivered`, "good"],
  Answered: [t`Answered`, "good"],
  Live: [t({ message: "Live", context: "status" }), "good"],
  Borrowed: [t`Borrowed`],
  Published: [t`Published`, "good"],
  Ready: [t`Ready`, "good"],
  Fulfilled: [t`Fulfilled`, "good"],
  Processed: [t`Processed`, "good"],
  Valid: [t`Valid`, "good"],
  Enabled: [t`Enabled`, "good"],
  "This session": [t`This session`, "good"],
  Missing: [t`Missing`, "wait"],
  "Not verified": [t`Not verified`, "wait"],
  Unconfirmed: [t`Unconfirmed`, "wait"],
  Pending: [t`Pending`, "wait"],
  Waiting: [t`Waiting`, "wait"],
  Advancing: [t`Advancing`, "wait"],
  Retrying: [t`Retrying`, "wait"],
  Released: [t({ message: "Released", context: "seat" }), "over"],
  OverLimit: [t`Over the limit`, "wait"],
  Unmatched: [t`Unmatched`, "wait"],
  Disputed: [t`Disputed`, "wait"],
  Suspended: [t`Suspended`, "wait"],
  Test: [t({ message: "Test", context: "mode" }), "wait"],
  Draft: [t`Draft`, "news"],
  Invited: [t`Invited`, "news"],
  Open: [t({ message: "Open", context: "status" }), "news"],
  Blocked: [t`Blocked`, "bad"],
  Disabled: [t`Disabled`, "bad"],
  Failed: [t`Failed`, "bad"],
  Rejected: [t`Rejected`, "bad"],
  Revoked: [t`Revoked`, "bad"],
  Yanked: [t`Yanked`, "bad"],
  Expired: [t`Expired`, "over"],
  Canceled: [t({ message: "Canceled", context: "order" }), "over"],
  Refunded: [t`Refunded`, "over"],
  Ignored: [t`Ignored`, "over"],
  Ended: [t`Ended`, "over"],
  Off: [t({ message: "Off", context: "status" }), "over"],
  Queued: [t`Queued`],
  // Why a license is not valid.
  LicenseNotFound: [t`License not found`],
  HardwareIdRequired: [t`Hardware ID required`],
  HardwareMismatch: [t`Hardware mismatch`],
  HardwareIdNotAccepted: [t`Hardware ID not accepted`],
  PendingApproval: [t`Pending approval`],
  DeviceBlocked: [t`Device blocked`],
  CredentialsRequired: [t`Credentials required`],
  CredentialsInvalid: [t`Credentials invalid`],
  ActivationRequired: [t`Activation required`],
  ReleaseNotAllowed: [t`Release not allowed`],
  TrialAlreadyUsed: [t`Trial already used`],
  DeviceProofRequired: [t`Device proof required`],
  // These have a tone of their own where they are shown.
  "System Admin": [t`System admin`],
  Empty: [t({ message: "Empty", context: "balance" })],
  Low: [t({ message: "Low", context: "balance" })],
  Current: [t({ message: "Current", context: "price" })],
  "No keys": [t`No keys`],
  Owner: [ROLE_LABELS.Owner],
  Admin: [ROLE_LABELS.Admin],
  Member: [ROLE_LABELS.Member],
  Viewer: [ROLE_LABELS.Viewer],
  Free: [PLAN_LABELS.Free],
  Pro: [PLAN_LABELS.Pro],
  Unlimited: [PLAN_LABELS.Unlimited],
};

/** A status in words, such as "Pending approval" for `PendingApproval`. */
export const statusWords = (status: string): string => STATUSES[status]?.[0] ?? words(status);

export const toneOf = (status: string): Tone => STATUSES[status]?.[1] ?? "over";

/** The color of a meaning in a chart. */
export const toneFill = (tone: Tone): string => `var(--${tone}-fill)`;

/** The color of a status in a chart. */
export const fillOf = (status: string): string => toneFill(toneOf(status));

import { t } from "@lingui/core/macro";
import { isFiller, isNoun, listed } from "./words";

/** What people ask to be done, in the words that they have for it. */
export interface Verb {
  name: VerbName;
  label: string;
  /** What says it, plain, a phrase with hyphens: "top-up"; the first begins its label. */
  words: readonly string[];
  /** What it is done to first of all. */
  of: "License" | "Customer" | "Device";
  /** What may be said with it. */
  takes?: "amount" | "span";
}

export type VerbName =
  | "approve"
  | "balance"
  | "block"
  | "copy"
  | "deactivate"
  | "devices"
  | "diagnose"
  | "edit"
  | "events"
  | "free"
  | "grant"
  | "link"
  | "maintenance"
  | "merge"
  | "note"
  | "reinstate"
  | "rekey"
  | "revoke"
  | "send"
  | "sessions"
  | "suspend"
  | "term"
  | "unblock"
  | "view";

const verb = (
  name: VerbName,
  label: string,
  also: string,
  rest: Partial<Pick<Verb, "of" | "takes">> = {},
): Verb => ({
  name,
  label,
  words: listed(`${label} ${also}`).filter((word) => word && !isFiller(word) && !isNoun(word)),
  of: "License",
  ...rest,
});

/** The verbs of the palette; of two that are said equally, the earlier comes first. */
export const VERBS: readonly Verb[] = [
  verb("term", t`Extend`, t`extension renew prolong`, { takes: "span" }),
  verb("suspend", t`Suspend`, t`pause stop lock`),
  verb("free", t`Free a seat`, ""),
  verb("reinstate", t`Reinstate`, t`unsuspend resume reactivate`),
  verb("send", t`Send by email`, t`resend email mail`),
  verb("grant", t({ message: "Grant", context: "verb" }), t`credit credits top-up topup`, {
    takes: "amount",
  }),
  verb("rekey", t`Replace key`, t`rekey rotate new-key`),
  verb("revoke", t`Revoke`, t`cancel terminate`),
  verb("diagnose", t`Diagnose`, t`why check`),
  verb("maintenance", t`Set maintenance`, t`maintenance updates`),
  verb("copy", t`Copy key`, ""),
  verb("devices", t`Devices`, t`machines activations`),
  verb("sessions", t`Sessions`, ""),
  verb("balance", t`Balance`, ""),
  verb("events", t`Events`, t`timeline history`),
  verb("edit", t`Edit`, t`change rename email tag tags more-seats`),
  { ...verb("note", t`Note`, t`notes comment`), label: t`Add a note` },
  verb("link", t`Send portal link`, t`portal link login-link sign-in-link`, { of: "Customer" }),
  verb("view", t`View portal as customer`, t`open portal`, { of: "Customer" }),
  verb("merge", t`Merge into another`, "", { of: "Customer" }),
  verb("deactivate", t`Deactivate`, t`remove disconnect kick end-session`, { of: "Device" }),
  verb("block", t`Block`, "", { of: "Device" }),
  verb("unblock", t`Unblock`, "", { of: "Device" }),
  verb("approve", t`Approve`, t`allow accept`, { of: "Device" }),
];

import { t } from "@lingui/core/macro";
import { textOrNull } from "../api/fields";
import type { ApiKey, Schemas } from "../api/types";
import { linesOf } from "../ui/ipRanges";
import { type Reaches, scopesOf } from "./scopes";

export type IssuedKey = Schemas["IssuedApiKey"];

/** The status of a key at an instant. */
export function keyStatus(
  { revokedAt, expirationDate }: ApiKey,
  now: number = Date.now(),
): "Active" | "Revoked" | "Expired" {
  if (revokedAt) return "Revoked";
  return expirationDate && Date.parse(expirationDate) <= now ? "Expired" : "Active";
}

/** A number of days from now, a chosen day, or never. */
export type Expiry = "30" | "90" | "365" | "day" | "never";

export const EXPIRIES: Record<Expiry, string> = {
  "30": t`In 30 days`,
  "90": t`In 90 days`,
  "365": t`In 1 year`,
  day: t`On a custom date`,
  never: t`Never`,
};

const DAY_MS = 86_400_000;

/** The instant at which a key expires; a chosen day counts in full. */
export function momentOf(expiry: Expiry, day: string, now: number): string | null {
  if (expiry === "never") return null;
  if (expiry !== "day") return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}

/** What the form of a new key holds at first. */
export const FIRST = {
  name: "",
  description: "",
  expiry: "90" as Expiry,
  /** The chosen day. */
  expirationDate: "",
  scopes: {
    Licenses: "Read",
    Activations: "None",
    Products: "None",
    Releases: "None",
    Meter: "None",
    Statistics: "None",
    Webhooks: "None",
    Customers: "None",
    Connectors: "None",
    Members: "None",
    Audit: "None",
  } as Reaches,
  ipAllowList: "",
  /** Use the list although it lacks the user's own address. */
  confirm: false,
};

export type KeyDraft = typeof FIRST;

export const bodyOf = (draft: KeyDraft, now: number): Schemas["ApiKeyRequest"] => ({
  name: draft.name,
  description: textOrNull(draft.description),
  expirationDate: momentOf(draft.expiry, draft.expirationDate, now),
  scopes: scopesOf(draft.scopes),
  ipAllowList: linesOf(draft.ipAllowList),
  confirm: draft.confirm,
});

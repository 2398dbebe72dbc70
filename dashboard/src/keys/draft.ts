import type { Schemas } from "../api/types";
import { linesOf } from "../ui/ipRanges";
import { momentOf, type Expiry } from "./expiry";
import { scopesOf, type Reaches } from "./scopes";

/** What the form of a new key holds. */
export interface KeyDraft {
  name: string;
  description: string;
  expiry: Expiry;
  /** The chosen day. */
  expirationDate: string;
  scopes: Reaches;
  ipAllowList: string;
}

export const FIRST: KeyDraft = {
  name: "",
  description: "",
  expiry: "90",
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
  },
  ipAllowList: "",
};

export const bodyOf = (draft: KeyDraft, now: number): Schemas["ApiKeyRequest"] => ({
  name: draft.name,
  description: draft.description.trim() || null,
  expirationDate: momentOf(draft.expiry, draft.expirationDate, now),
  scopes: scopesOf(draft.scopes),
  ipAllowList: linesOf(draft.ipAllowList),
});

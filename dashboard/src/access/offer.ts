import type { Role, Schemas } from "../api/types";

/** What an invitation offers; without `email` its address has an account. */
export type Offer = Schemas["OfferView"];

const MEANINGS: Record<Role, string> = {
  Owner: "You own the institution, together with its other Owners.",
  Admin: "You manage products, licenses and people.",
  Member: "You read what is assigned to you.",
  Viewer: "You read everything, and change nothing.",
};

export const meaningOf = (role: Role): string => MEANINGS[role];

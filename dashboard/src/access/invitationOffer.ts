import type { Role, Schemas } from "../api/types";

/** An invitation as its recipient sees it; `email` is null if the address has an account. */
export type Offer = Schemas["InvitationPreview"];

const ROLE_DESCRIPTIONS: Record<Role, string> = {
  Owner: "You own the institution together with its other Owners.",
  Admin: "You manage products, licenses and people.",
  Member: "You can view what is assigned to you.",
  Viewer: "You can view everything and change nothing.",
};

export const roleDescription = (role: Role): string => ROLE_DESCRIPTIONS[role];

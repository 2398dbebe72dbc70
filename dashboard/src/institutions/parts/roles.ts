import type { Role } from "../../api/types";

export const ROLES = ["Owner", "Admin", "Member", "Viewer"] as const satisfies readonly Role[];

/** What each role may do, in a sentence. */
export const ROLE_WORDS: Record<Role, string> = {
  Owner: "Does everything, gives every role, and can delete the institution.",
  Admin: "Runs the institution: products, licenses, devices, people and API keys.",
  Member: "Sees the products and releases that are assigned, and changes nothing.",
  Viewer: "Sees all products, licenses and figures, and changes nothing.",
};

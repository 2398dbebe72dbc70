import { t } from "@lingui/core/macro";
import type { Role } from "../../api/types";

export const ROLES = ["Owner", "Admin", "Member", "Viewer"] as const satisfies readonly Role[];

/** A one-sentence description of each role. */
export const ROLE_WORDS: Record<Role, string> = {
  Owner: t`Full access. Can assign any role and delete the institution.`,
  Admin: t`Manages products, licenses, devices, members and API keys.`,
  Member: t`Read-only access to assigned products and releases.`,
  Viewer: t`Read-only access to all products, licenses and statistics.`,
};

import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";
import type { LicenseType, Role, Schemas } from "../api/types";

/** Display names of the license models. */
export const MODEL_LABELS: Record<LicenseType, string> = {
  Perpetual: t`Perpetual`,
  Trial: t`Trial`,
  Subscription: t`Subscription`,
  Floating: t`Floating`,
  Concurrent: t`Concurrent`,
  NodeLocked: t`Node-locked`,
  MeteredToken: t`Credit-Based`,
  MeteredCount: t`Usage-Based`,
};

/** Display names of the roles in an institution. */
export const ROLE_LABELS: Record<Role, string> = {
  Owner: t({ message: "Owner", context: "role" }),
  Admin: t({ message: "Admin", context: "role" }),
  Member: t({ message: "Member", context: "role" }),
  Viewer: t({ message: "Viewer", context: "role" }),
};

/** Display names of the plans of an institution. */
export const PLAN_LABELS: Record<Schemas["Plan"], string> = {
  Free: t({ message: "Free", context: "plan" }),
  Pro: t({ message: "Pro", context: "plan" }),
  Unlimited: t({ message: "Unlimited", context: "plan" }),
};

/**
 * Identifiers as words: "Auto bind" for `AutoBind`, "Session ended" for `session.ended`. They are
 * English: only for what has no label in a table, such as what a newer server sends.
 */
export function words(name: string): string {
  const spaced = name.replace(/[._]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1).toLowerCase()}`.replace(
    /\bid\b/g,
    "ID",
  );
}

/** A label within a sentence. English writes it small; others write it as it stands alone. */
export const inSentence = (label: string): string =>
  i18n.locale === "en" ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;

import type { LicenseType } from "../api/types";

/** What people call a license model. */
export const MODEL_LABELS: Record<LicenseType, string> = {
  Perpetual: "Perpetual",
  Trial: "Trial",
  Subscription: "Subscription",
  Floating: "Floating",
  Concurrent: "Concurrent",
  NodeLocked: "Node-locked",
  MeteredToken: "Credit-Based",
  MeteredCount: "Usage-Based",
};

/** `AutoBind` and `access_attempt.detected` as words: "Auto bind", "Access attempt detected". */
export function words(name: string): string {
  const spaced = name.replace(/[._]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

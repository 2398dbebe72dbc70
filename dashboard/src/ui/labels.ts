import type { LicenseType } from "../api/types";

/** Display names of the license models. */
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

/** Identifiers as words: "Auto bind" for `AutoBind`, "Session ended" for `session.ended`. */
export function words(name: string): string {
  const spaced = name.replace(/[._]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1).toLowerCase()}`.replace(
    /\bid\b/g,
    "ID",
  );
}

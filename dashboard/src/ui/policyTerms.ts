import type { Schemas } from "../api/types";
import { number } from "./formats";
import { MODEL_TRAITS } from "./models";

type Policy = Schemas["Policy"];

const days = (count: number) => `${number(count)} ${count === 1 ? "day" : "days"}`;

/** How long a license under the policy lasts: "365 days from the first use"; empty for ever. */
export function termOf({ durationDays, termStarts }: Policy): string {
  if (durationDays === null) return "";
  return `${days(durationDays)} from the ${termStarts === "FirstUse" ? "first use" : "issue"}`;
}

/** The terms of a policy in a few words: "365 days from the first use, 5 seats". */
export function termsOf(policy: Policy): string {
  const { graceDays, maxActiveUsersCount: seats } = policy;
  const unit = MODEL_TRAITS[policy.type].meter;
  return [
    termOf(policy) || "no fixed term",
    graceDays > 0 && `${days(graceDays)} grace`,
    seats !== null && `${number(seats)} ${seats === 1 ? "seat" : "seats"}`,
    policy.initialMeterBalance !== null && `${number(policy.initialMeterBalance)} ${unit ?? ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}

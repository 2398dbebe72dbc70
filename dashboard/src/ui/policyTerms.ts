import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { MODEL_TRAITS } from "./models";
import { amountText, daysText, seatsText } from "./quantities";

type Policy = Schemas["Policy"];

/** How long a license under the policy lasts: "365 days from the first use"; empty for ever. */
export function termOf({ durationDays, termStarts }: Policy): string {
  if (durationDays === null) return "";
  const days = daysText(durationDays);
  return termStarts === "FirstUse" ? t`${days} from the first use` : t`${days} from the issue`;
}

/** The terms of a policy in a few words: "365 days from the first use, 5 seats". */
export function termsOf(policy: Policy): string {
  const { graceDays, maxActiveUsersCount: seats, initialMeterBalance: balance } = policy;
  const renewal = policy.renewalGrant;
  const unit = MODEL_TRAITS[policy.type].meter;
  return [
    termOf(policy) || t`no fixed term`,
    graceDays > 0 && t`${{ days: daysText(graceDays) }} grace`,
    seats !== null && seatsText(seats),
    balance !== null && unit && amountText(balance, unit),
    renewal !== null && unit && t`${{ amount: amountText(renewal, unit) }} per renewal`,
  ]
    .filter(Boolean)
    .join(", ");
}

import { t } from "@lingui/core/macro";
import type { Schemas } from "../api/types";
import { MODEL_TRAITS } from "./models";
import { amountText, daysText, lengthText, seatsText } from "./quantities";

type Policy = Schemas["Policy"];

/** How long a license under the policy lasts: "12 months from the first use"; empty for ever. */
export function termOf({ durationDays, durationMonths, termStarts }: Policy): string {
  const length = lengthText(durationDays, durationMonths);
  if (length === null) return "";
  return termStarts === "FirstUse" ? t`${length} from the first use` : t`${length} from the issue`;
}

/** The terms of a policy in a few words: "365 days from the first use, 5 seats". */
export function termsOf(policy: Policy): string {
  const {
    graceDays,
    updatesDays,
    fallback,
    maxActiveUsersCount: seats,
    initialMeterBalance: balance,
  } = policy;
  const renewal = policy.renewalGrant;
  const unit = MODEL_TRAITS[policy.type].meter;
  return [
    termOf(policy) || t`no fixed term`,
    graceDays > 0 && t`${{ days: daysText(graceDays) }} grace`,
    updatesDays !== null && t`${{ days: daysText(updatesDays) }} maintenance`,
    fallback !== "None" && t`keeps releases after the term`,
    seats !== null && seatsText(seats),
    balance !== null && unit && amountText(balance, unit),
    renewal !== null && unit && t`${{ amount: amountText(renewal, unit) }} per renewal`,
  ]
    .filter(Boolean)
    .join(", ");
}

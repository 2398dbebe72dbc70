import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";
import { dateTime } from "../../ui/formats";

export type Report = Schemas["OrderReport"];
export type Period = Schemas["ReportPeriod"];

export const REPORTS = "/api/institutions/{institutionId}/order-reports";
export const REPORT = "/api/institutions/{institutionId}/order-reports/{userId}";

export const MORNING = "07:00";

export const PERIODS: readonly (readonly [Period, string])[] = [
  ["Day", t`Every day`],
  ["Week", t`Every week`],
  ["Month", t`Every month`],
];

/** What became of the last report, in a sentence. */
export function outcomeOf(report: Report): string | null {
  const { lastAt, lastStatus, lastError } = report;
  if (!lastAt || !lastStatus) return null;
  const moment = dateTime(lastAt);
  if (lastStatus === "Sent") return t`Last: sent ${moment}`;
  if (lastStatus === "Queued" && lastError === null) return t`Last: queued ${moment}`;
  if (lastError === null) return t`Last: failed ${moment}`;
  return t`Last: failed ${moment}. ${{ reason: lastError }}`;
}

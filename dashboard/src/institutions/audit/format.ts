import { t } from "@lingui/core/macro";
import { dateTime, number } from "../../ui/formats";
import type { AuditRecord } from "./record";

const NAMES = ["licenseName", "name", "version", "email", "deviceName", "description", "url"];
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The name of an entry's subject at the time. */
export function subjectName({ data }: AuditRecord): string | null {
  const found = NAMES.map((name) => data[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : null;
}

/** Formats a field value for display. */
export function fieldValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? t`Yes` : t`No`;
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return MOMENT.test(value) ? dateTime(value) : value;
  if (Array.isArray(value)) return value.length ? value.map(fieldValue).join(", ") : t`None`;
  return JSON.stringify(value);
}

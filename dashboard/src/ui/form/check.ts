import { plural, t } from "@lingui/core/macro";

/** What is demanded of a field; the server's demands are in `api/checks.ts`. */
export interface Check {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly isWhole?: boolean;
}

/** Demands by the API's name of a field. */
export type Checks = Readonly<Partial<Record<string, Check>>>;

/** Nobody has typed or chosen anything there. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.length === 0);

function faultOfNumber(value: number, { minimum, maximum, isWhole }: Check): string | undefined {
  if (!Number.isFinite(value)) return t`Enter a number.`;
  if (isWhole && !Number.isInteger(value)) return t`Enter a whole number.`;
  const isLow = minimum !== undefined && value < minimum;
  const isHigh = maximum !== undefined && value > maximum;
  if (!isLow && !isHigh) return undefined;
  if (minimum !== undefined && maximum !== undefined)
    return t`Enter a number from ${minimum} to ${maximum}.`;
  return isLow ? t`Enter ${minimum} or more.` : t`Enter ${maximum ?? ""} or less.`;
}

function faultOfText(text: string, { minLength = 0, maxLength = Infinity }: Check) {
  if (text.length < minLength)
    return plural(minLength, {
      one: "Use at least # character.",
      other: "Use at least # characters.",
    });
  if (text.length > maxLength)
    return plural(maxLength, {
      one: "Use at most # character.",
      other: "Use at most # characters.",
    });
  return undefined;
}

const isNumeric = ({ minimum, maximum, isWhole }: Check) =>
  minimum !== undefined || maximum !== undefined || isWhole === true;

/** What is wrong with a value, in a sentence that says what to do. */
export function faultOf(value: unknown, check: Check): string | undefined {
  if (isEmpty(value)) return check.required ? t`Fill in this field.` : undefined;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return isNumeric(check) ? faultOfNumber(Number(value), check) : faultOfText(String(value), check);
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** What is wrong with an email address. */
export const faultOfEmail = (text: string): string | undefined =>
  ADDRESS.test(text.trim()) ? undefined : t`Enter an email address, for example name@example.com.`;

import type { FieldValues, Path } from "react-hook-form";
import type { License } from "../../../api/types";
import { FormField, type FormFieldProps } from "../../../ui/form/FormField";
import { amountText as textOf } from "../../../ui/quantities";
import { meterOf, unitOf } from "../traits";

/** Amounts have at most six decimals; uses are whole numbers. */
const MILLION = 1_000_000;

/** Parses a typed amount; null if it is not a number. */
export function amountOf(text: string): number | null {
  const amount = Number(text);
  return text.trim() === "" || !Number.isFinite(amount) ? null : amount;
}

/** The balance after a change, rounded to avoid floating-point noise. */
export const addToBalance = (balance: number, amount: number): number =>
  Math.round((balance + amount) * MILLION) / MILLION;

export const amountText = (amount: number, license: License): string =>
  textOf(amount, meterOf(license));

type AmountFieldProps<Values extends FieldValues, Name extends Path<Values>> = Pick<
  FormFieldProps<Values, Name>,
  "name" | "control" | "check" | "demand" | "fault" | "helperText"
> & { license: License; label: string };

/** An amount of what the license is metered in; uses are whole numbers. */
export function AmountField<Values extends FieldValues, Name extends Path<Values>>(
  props: AmountFieldProps<Values, Name>,
) {
  const { license, label, demand, ...field } = props;
  const isWhole = license.meterMode === "Count";
  return (
    <FormField
      {...field}
      type="number"
      label={`${label} (${unitOf(license)})`}
      demand={{ ...demand, isWhole }}
      input={{ step: isWhole ? 1 : "any", inputMode: "decimal" }}
      slotProps={{ formHelperText: { "aria-live": "polite" } }}
    />
  );
}

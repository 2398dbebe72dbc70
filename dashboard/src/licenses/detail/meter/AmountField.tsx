import type { FieldValues, Path } from "react-hook-form";
import type { License } from "../../../api/types";
import { FormField, type FormFieldProps } from "../../../ui/form/FormField";
import { unitOf } from "../traits";

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

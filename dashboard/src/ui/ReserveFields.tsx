import { t } from "@lingui/core/macro";
import { type FieldValues, type Path, useWatch } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";
import { Row } from "./layout/layout";
import type { MeterKind } from "./models";

/** What becomes of reserved credits whose use is not reported. */
export const UNRETURNED_WORDS: Record<Schemas["OnUnreturned"], string> = {
  Charge: t`Charged, as if it had been used`,
  Refund: t`Returned to the balance`,
};

interface ReserveFieldsProps<
  Values extends FieldValues,
  Amount extends Path<Values>,
  Days extends Path<Values>,
  Unreturned extends Path<Values>,
> {
  meter: MeterKind;
  amount: FieldProps<Values, Amount>;
  days: FieldProps<Values, Days>;
  unreturned: FieldProps<Values, Unreturned>;
}

/** How much devices may reserve and for how long, and what becomes of what they never report. */
export function ReserveFields<
  Values extends FieldValues,
  Amount extends Path<Values>,
  Days extends Path<Values>,
  Unreturned extends Path<Values>,
>({ meter, amount, days, unreturned }: ReserveFieldsProps<Values, Amount, Days, Unreturned>) {
  const typed: string = useWatch({ control: amount.control, name: amount.name });
  return (
    <>
      <Row gap="l" align="stretch" folds>
        <FormField
          {...amount}
          type="number"
          label={meter === "uses" ? t`Reserved uses at most` : t`Reserved credits at most`}
          demand={meter === "uses" ? { minimum: 1, isWhole: true } : { minimum: 0.000001 }}
          input={{ step: meter === "uses" ? 1 : "any", inputMode: "decimal" }}
          helperText={t`How much all devices together may reserve, to spend it without a network. Empty: nothing.`}
        />
        <FormField
          {...days}
          type="number"
          label={t`Reserved for at most (days)`}
          demand={{ minimum: 0 }}
          helperText={t`How long a device may spend what it reserved. Empty: not at all.`}
        />
      </Row>
      {typed !== "" && (
        <FormField
          {...unreturned}
          helperText={t`30 days after the end of a reservation whose device has not reported.`}
          options={Object.entries(UNRETURNED_WORDS)}
        />
      )}
    </>
  );
}

import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";
import { Row } from "./layout/layout";

interface BorrowFieldsProps<
  Values extends FieldValues,
  Days extends Path<Values>,
  Seats extends Path<Values>,
> {
  days: FieldProps<Values, Days>;
  seats: FieldProps<Values, Seats>;
}

/** For how long devices may borrow a seat, and how many seats may be away. */
export const BorrowFields = <
  Values extends FieldValues,
  Days extends Path<Values>,
  Seats extends Path<Values>,
>({
  days,
  seats,
}: BorrowFieldsProps<Values, Days, Seats>) => (
  <Row gap="l" align="stretch" folds>
    <FormField
      {...days}
      type="number"
      demand={{ minimum: 0 }}
      helperText={t`For how long a device may use a seat without a network. Empty: not at all.`}
    />
    <FormField
      {...seats}
      type="number"
      helperText={t`How many seats may be borrowed at a time. Empty: all.`}
    />
  </Row>
);

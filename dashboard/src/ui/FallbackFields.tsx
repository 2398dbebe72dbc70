import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { useWatch } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";
import { Row } from "./layout/layout";

type Fallback = Schemas["Fallback"];

/** What a license keeps after its term. */
export const FALLBACK_WORDS: Record<Fallback, string> = {
  None: t`Nothing: the license ends`,
  ReleaseAtTermEnd: t`Releases until the end of the term`,
  ReleaseAtTermStart: t`Releases until the start of the term`,
};

interface FallbackFieldsProps<
  Values extends FieldValues,
  Kept extends Path<Values>,
  Months extends Path<Values>,
> {
  fallback: FieldProps<Values, Kept>;
  months: FieldProps<Values, Months>;
}

/** What a license keeps after its term, and how long it must have been paid for before. */
export function FallbackFields<
  Values extends FieldValues,
  Kept extends Path<Values>,
  Months extends Path<Values>,
>({ fallback, months }: FallbackFieldsProps<Values, Kept, Months>) {
  const chosen: string = useWatch({ control: fallback.control, name: fallback.name });
  return (
    <Row gap="l" align="stretch" folds>
      <FormField
        {...fallback}
        label={t`After the term the customer keeps`}
        helperText={t`Released versions that go on working without a renewal.`}
        options={Object.entries(FALLBACK_WORDS)}
      />
      {chosen !== "None" && (
        <FormField
          {...months}
          type="number"
          label={t`Months to be paid for`}
          demand={{ required: true, minimum: 0, maximum: 120 }}
          helperText={t`In a row, before anything is kept.`}
        />
      )}
    </Row>
  );
}

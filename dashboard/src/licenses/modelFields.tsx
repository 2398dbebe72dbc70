import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { LicenseType } from "../api/types";
import { FormField } from "../ui/form/FormField";
import type { FieldProps } from "../ui/form/useApiForm";
import { MODEL_LABELS } from "../ui/labels";
import type { MeterKind } from "../ui/models";
import { MODEL_TEXT } from "./modelText";

type ModelFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & {
  value: LicenseType;
  models: readonly LicenseType[];
  onValue?: (next: LicenseType) => void;
};

/** The model that licenses are converted to. */
export const ModelField = <Values extends FieldValues, Name extends Path<Values>>({
  value,
  models,
  onValue,
  ...field
}: ModelFieldProps<Values, Name>) => (
  <FormField
    {...field}
    // The server takes numbers for models, too.
    check={undefined}
    label={t`Model`}
    helperText={MODEL_TEXT[value].description}
    onValue={(next) => onValue?.(next as LicenseType)}
    options={models.map((model) => [model, MODEL_LABELS[model]] as const)}
  />
);

const SEATS = { required: true, minimum: 1, maximum: 1_000_000 };

/** How many seats a license has. */
export const SeatsField = <Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name> & { helperText?: string },
) => <FormField {...props} type="number" label={t`Max active users`} demand={SEATS} />;

/** The balance with which a license begins to be metered. */
export const BalanceField = <Values extends FieldValues, Name extends Path<Values>>({
  meter,
  ...field
}: FieldProps<Values, Name> & { meter: MeterKind }) => (
  <FormField
    {...field}
    type="number"
    label={meter === "credits" ? t`Initial credits` : t`Initial uses`}
    demand={{ required: true, minimum: 0, isWhole: meter === "uses" }}
    input={{ step: meter === "credits" ? "any" : 1 }}
    helperText={t`You can grant more at any time.`}
  />
);

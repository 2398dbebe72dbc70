import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "../../../ui/form/FormField";
import type { FieldProps } from "../../../ui/form/useApiForm";

type SeatsFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { helperText?: string };

const SEATS = { required: true, minimum: 1, maximum: 1_000_000 };

export const SeatsField = <Values extends FieldValues, Name extends Path<Values>>(
  props: SeatsFieldProps<Values, Name>,
) => <FormField {...props} type="number" label={t`Max active users`} demand={SEATS} />;

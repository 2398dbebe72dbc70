import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import type { FieldValues, Path } from "react-hook-form";
import { FormField } from "../../ui/form/FormField";
import type { FieldProps } from "../../ui/form/useApiForm";

const KEY_SIZES = [2048, 3072, 4096] as const;
export type KeySize = (typeof KEY_SIZES)[number];
export const USUAL_KEY_SIZE: KeySize = 3072;

/** Selects the RSA key size. */
export const KeySizeField = <Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) => (
  <FormField
    {...field}
    select
    label={t`Key size`}
    helperText={t`3072 bits are considered secure beyond 2030. 2048 bits make license files slightly smaller; 4096 bits meet stricter requirements.`}
  >
    {KEY_SIZES.map((size) => (
      <MenuItem key={size} value={size}>
        {t`${{ size: String(size) }} bits`}
      </MenuItem>
    ))}
  </FormField>
);

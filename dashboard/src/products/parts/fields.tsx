import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import FormControl from "@mui/material/FormControl";
import FormLabel from "@mui/material/FormLabel";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { Choice } from "../../ui/form/Choice";
import { FormField } from "../../ui/form/FormField";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ACCESS_LABELS } from "./access";

export type AccessType = Schemas["AccessType"];

const CHOICES: readonly (readonly [type: AccessType, meaning: string])[] = [
  ["Opened", t`Licenses can be issued to anyone.`],
  [
    "Associated",
    t`Each license belongs to an institution that has accepted your invitation. You invite institutions under Associations on the product’s page.`,
  ],
];

/** Who can be issued licenses of the product: anyone, or associated institutions. */
export function AccessFields<Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) {
  const { value, set } = useField(field);
  return (
    <FormControl>
      <FormLabel id="access-type">{t`Access type`}</FormLabel>
      <RadioGroup aria-labelledby="access-type" value={value} onChange={set}>
        {CHOICES.map(([type, meaning]) => (
          <Choice key={type} value={type} label={ACCESS_LABELS[type]} meaning={meaning} />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

const USUAL = ["Stable", "Beta", "Alpha", "RC"];

/** The channel of a release: a common one or a custom name. */
export function ChannelField<Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) {
  const { value, set, leave, ref, message } = useField(field);
  return (
    <Autocomplete
      freeSolo
      options={USUAL}
      inputValue={String(value)}
      filterOptions={(options) => options}
      onInputChange={(_, channel) => set(channel)}
      onBlur={leave}
      fullWidth
      renderInput={(props) => (
        <TextField
          {...props}
          label={t`Channel`}
          required
          inputRef={ref}
          error={message !== undefined}
          helperText={
            message ?? t`Applications check for updates in one channel, by default Stable.`
          }
        />
      )}
    />
  );
}

const KEY_SIZES = [2048, 3072, 4096] as const;
export type KeySize = (typeof KEY_SIZES)[number];
export const USUAL_KEY_SIZE: KeySize = 3072;

/** Selects the RSA key size. */
export const KeySizeField = <Values extends FieldValues, Name extends Path<Values>>(
  field: FieldProps<Values, Name>,
) => (
  <FormField
    {...field}
    label={t`Key size`}
    helperText={t`3072 bits are considered secure beyond 2030. 2048 bits make license files slightly smaller; 4096 bits meet stricter requirements.`}
    options={KEY_SIZES.map((size) => [size, t`${{ size: String(size) }} bits`] as const)}
  />
);

/** Generates an RSA key pair for the product, replacing any previous one. */
export const generateKeys = (productId: string, keySize: KeySize) =>
  api.POST("/api/products/{productId}/keys/generate", { ...at({ productId }), body: { keySize } });

import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../../api/types";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";

type Kinds = NonNullable<Schemas["ProductSettings"]["hardwareIdKinds"]>;
export type HardwareIdKind = Kinds[number];

/** The kinds of hardware IDs of the SDKs by their letters, in the order in which they are offered. */
const KINDS: Record<HardwareIdKind, string> = {
  m: t`Operating system (m)`,
  c: t`Container image (c)`,
  s: t`Random ID in a file (s)`,
  b: t`Browser (b)`,
  j: t`CI project (j)`,
  n: t`Host name (n)`,
};

const LETTERS = Object.keys(KINDS) as HardwareIdKind[];

/** The accepted kinds in words. */
export const kindsText = (kinds: Kinds | null) =>
  kinds === null
    ? t`All; for node-locked licenses no CI projects and host names`
    : kinds.map((kind) => KINDS[kind]).join(", ");

/** Selects the kinds of hardware IDs that a product accepts; none selected is the default. */
export function HardwareIdKindsField<Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) {
  const { value, set, message, ref } = useField(props);
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      options={LETTERS}
      value={value as HardwareIdKind[]}
      getOptionLabel={(kind) => KINDS[kind]}
      onChange={(_, kinds) => set(kinds as typeof value)}
      renderInput={(params) => (
        <TextField
          {...params}
          label={t`Accepted hardware IDs`}
          inputRef={ref}
          error={message !== undefined}
          helperText={
            message ??
            t`Empty for all, except that node-locked licenses accept none of CI projects and host names. IDs that an application chooses itself are always accepted.`
          }
        />
      )}
    />
  );
}

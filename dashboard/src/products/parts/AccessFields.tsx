import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormLabel from "@mui/material/FormLabel";
import RadioGroup from "@mui/material/RadioGroup";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../../api/types";
import { Choice } from "../../ui/form/Choice";
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

import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import type { FieldValues, Path } from "react-hook-form";
import { Choice } from "../../ui/form/Choice";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ROLE_LABELS } from "../../ui/labels";
import type { Can } from "../../ui/useInstitution";
import { ROLE_WORDS, ROLES } from "./roles";

type RoleFieldProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<
  Values,
  Name
> & { can: Can };

/** Selects a role. Only Owners can assign the Owner role. */
export function RoleField<Values extends FieldValues, Name extends Path<Values>>({
  can,
  ...props
}: RoleFieldProps<Values, Name>) {
  const id = useId();
  const { value, ref, set, message } = useField(props);
  return (
    <FormControl error={message !== undefined}>
      <FormLabel id={id}>{t`Role`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        aria-invalid={message !== undefined}
        aria-describedby={message && `${id}-message`}
        value={value}
        onChange={set}
      >
        {ROLES.filter((role) => role !== "Owner" || can.own).map((role) => (
          <Choice
            key={role}
            value={role}
            label={ROLE_LABELS[role]}
            meaning={ROLE_WORDS[role]}
            inputRef={role === value ? ref : undefined}
          />
        ))}
      </RadioGroup>
      {message && <FormHelperText id={`${id}-message`}>{message}</FormHelperText>}
    </FormControl>
  );
}

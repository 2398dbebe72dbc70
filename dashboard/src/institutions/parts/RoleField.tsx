import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { Role } from "../../api/types";
import { Choice } from "../../ui/form/Choice";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ROLE_LABELS } from "../../ui/labels";
import type { Can } from "../../ui/useInstitution";

export const ROLES = ["Owner", "Admin", "Member", "Viewer"] as const satisfies readonly Role[];

/** A one-sentence description of each role. */
const ROLE_WORDS: Record<Role, string> = {
  Owner: t`Full access. Can assign any role and delete the institution.`,
  Admin: t`Manages products, licenses, devices, members and API keys.`,
  Member: t`Read-only access to assigned products and releases.`,
  Viewer: t`Read-only access to all products, licenses and statistics.`,
};

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

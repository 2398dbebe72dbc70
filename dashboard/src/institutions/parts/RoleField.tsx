import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { Column } from "../../ui/layout/layout";
import { ROLE_LABELS } from "../../ui/labels";
import type { Can } from "../../ui/useInstitution";
import styles from "./parts.module.css";
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
          <FormControlLabel
            key={role}
            value={role}
            control={
              <Radio
                slotProps={{
                  input: { "aria-describedby": id + role, ...(role === value && { ref }) },
                }}
              />
            }
            className={styles.role}
            disableTypography
            label={
              <Column>
                <Typography variant="subtitle2" component="span">
                  {ROLE_LABELS[role]}
                </Typography>
                <Typography variant="body2" component="span" color="textSecondary" id={id + role}>
                  {ROLE_WORDS[role]}
                </Typography>
              </Column>
            }
          />
        ))}
      </RadioGroup>
      {message && <FormHelperText id={`${id}-message`}>{message}</FormHelperText>}
    </FormControl>
  );
}

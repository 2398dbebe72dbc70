import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../../api/types";
import type { FieldProps } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { ACCESS_LABELS } from "./access";
import styles from "./parts.module.css";

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
      <RadioGroup
        aria-labelledby="access-type"
        className={styles.choices}
        value={value}
        onChange={set}
      >
        {CHOICES.map(([type, meaning]) => (
          <FormControlLabel
            key={type}
            value={type}
            className={styles.choice}
            control={<Radio className={styles.radio} />}
            label={
              <>
                <Typography component="span">{ACCESS_LABELS[type]}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {meaning}
                </Typography>
              </>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../../api/types";
import { ACCESS_LABELS } from "./access";

export type AccessType = Schemas["AccessType"];

const CHOICES: readonly (readonly [type: AccessType, meaning: string])[] = [
  ["Opened", t`Licenses can be issued to anyone.`],
  [
    "Associated",
    t`Each license belongs to an institution that has accepted your invitation. You invite institutions under Associations on the product’s page.`,
  ],
];

interface AccessFieldsProps {
  accessType: AccessType;
  onChange: (accessType: AccessType) => void;
}

/** Who can be issued licenses of the product: anyone, or associated institutions. */
export const AccessFields = ({ accessType, onChange }: AccessFieldsProps) => (
  <FormControl>
    <FormLabel id="access-type">{t`Access type`}</FormLabel>
    <RadioGroup
      aria-labelledby="access-type"
      value={accessType}
      onChange={(_, type) => {
        onChange(type as AccessType);
      }}
      sx={{ gap: 1, mt: 1 }}
    >
      {CHOICES.map(([type, meaning]) => (
        <FormControlLabel
          key={type}
          value={type}
          control={<Radio sx={{ mt: -1 }} />}
          sx={{ alignItems: "flex-start", mr: 0 }}
          label={
            <Box>
              <Typography component="span">{ACCESS_LABELS[type]}</Typography>
              <Typography variant="body2" color="textSecondary">
                {meaning}
              </Typography>
            </Box>
          }
        />
      ))}
    </RadioGroup>
  </FormControl>
);

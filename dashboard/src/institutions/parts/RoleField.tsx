import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import type { Role } from "../../api/types";
import { ROLE_LABELS } from "../../ui/labels";
import type { Can } from "../../ui/useInstitution";
import { ROLE_WORDS, ROLES } from "./roles";

interface RoleFieldProps {
  value: Role;
  onChange: (role: Role) => void;
  can: Can;
}

/** Selects a role. Only Owners can assign the Owner role. */
export function RoleField({ value, onChange, can }: RoleFieldProps) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{t`Role`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, chosen) => {
          onChange(chosen as Role);
        }}
      >
        {ROLES.filter((role) => role !== "Owner" || can.own).map((role) => (
          <FormControlLabel
            key={role}
            value={role}
            control={
              <Radio size="small" slotProps={{ input: { "aria-describedby": id + role } }} />
            }
            sx={{ alignItems: "flex-start", mt: 0.5, "& .MuiRadio-root": { mt: -0.5 } }}
            disableTypography
            label={
              <div>
                <Typography variant="body2" component="span" sx={{ fontWeight: 600 }}>
                  {ROLE_LABELS[role]}
                </Typography>
                <Typography
                  variant="body2"
                  component="span"
                  color="textSecondary"
                  id={id + role}
                  sx={{ display: "block" }}
                >
                  {ROLE_WORDS[role]}
                </Typography>
              </div>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../../api/types";
import { useFieldMessage } from "../../ui/Form";
import { useInstitution } from "../../ui/useInstitution";

export type AccessType = Schemas["AccessType"];

export interface Access {
  accessType: AccessType;
  associatedInstitutionIds: string[];
}

const CHOICES: readonly (readonly [type: AccessType, meaning: string])[] = [
  ["Opened", "Licenses can be issued to anyone."],
  [
    "Associated",
    "Each license belongs to one of the institutions you select here. Choose this if your customers have their own institutions on this service.",
  ],
];

interface AccessFieldsProps {
  access: Access;
  onChange: (access: Access) => void;
}

/** Who can be issued licenses of the product: anyone, or selected institutions. */
export function AccessFields({ access, onChange }: AccessFieldsProps) {
  const { memberships } = useInstitution();
  const message = useFieldMessage("associatedInstitutionIds");
  const nameOf = (id: string) =>
    memberships.find((item) => item.institutionId === id)?.institutionName ?? id;
  const ids = memberships.map((item) => item.institutionId);
  return (
    <Stack sx={{ gap: 2 }}>
      <FormControl>
        <FormLabel id="access-type">Access type</FormLabel>
        <RadioGroup
          aria-labelledby="access-type"
          value={access.accessType}
          onChange={(_, type) => {
            const accessType = type as AccessType;
            // Only Associated products have associated institutions.
            const kept = accessType === "Associated" ? access.associatedInstitutionIds : [];
            onChange({ accessType, associatedInstitutionIds: kept });
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
                  <Typography component="span">{type}</Typography>
                  <Typography variant="body2" color="textSecondary">
                    {meaning}
                  </Typography>
                </Box>
              }
            />
          ))}
        </RadioGroup>
      </FormControl>
      {access.accessType === "Associated" && (
        <Autocomplete
          multiple
          options={[...new Set([...ids, ...access.associatedInstitutionIds])]}
          getOptionLabel={nameOf}
          value={access.associatedInstitutionIds}
          onChange={(_, associatedInstitutionIds) => {
            onChange({ ...access, associatedInstitutionIds });
          }}
          renderInput={(props) => (
            <TextField
              {...props}
              label="Associated institutions"
              error={message !== undefined}
              helperText={message ?? "You can select institutions you are a member of."}
            />
          )}
        />
      )}
    </Stack>
  );
}

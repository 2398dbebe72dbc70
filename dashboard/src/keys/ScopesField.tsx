import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { AREA_WORDS, AREAS, type Area, type Reach } from "./scopes";

export type Reaches = Record<Area, Reach>;

const REACHES = { None: "None", Read: "Read", Write: "Read and write" } satisfies Record<
  Reach,
  string
>;

interface ScopesFieldProps {
  value: Reaches;
  onChange: (value: Reaches) => void;
}

/** Selects the access level for each area of the API. */
export const ScopesField = ({ value, onChange }: ScopesFieldProps) => (
  <Stack component="fieldset" sx={{ gap: 1.5, border: 0, m: 0, p: 0, minWidth: 0 }}>
    <Typography component="legend" variant="body2" sx={{ fontWeight: 600, p: 0, mb: 1 }}>
      Scopes
    </Typography>
    {AREAS.map((area) => (
      <Stack
        key={area}
        direction={{ xs: "column", sm: "row" }}
        sx={{ gap: 1, alignItems: { sm: "center" }, justifyContent: "space-between" }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="body2">{AREA_WORDS[area].label}</Typography>
          <Typography variant="caption" color="textSecondary" component="p">
            {AREA_WORDS[area].opens}
          </Typography>
        </Box>
        <ToggleButtonGroup
          exclusive
          aria-label={AREA_WORDS[area].label}
          value={value[area]}
          onChange={(_, reach: Reach | null) => {
            if (reach) onChange({ ...value, [area]: reach });
          }}
          sx={{ flexShrink: 0 }}
        >
          {Object.entries(REACHES).map(([reach, label]) => (
            <ToggleButton
              key={reach}
              value={reach}
              sx={{ textTransform: "none", whiteSpace: "nowrap", px: 1.25, py: 0.5 }}
            >
              {label}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Stack>
    ))}
  </Stack>
);

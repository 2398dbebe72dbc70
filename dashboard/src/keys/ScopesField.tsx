import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { AREA_WORDS, AREAS, reachesOf, type Area, type Reach } from "./scopes";

export type Reaches = Record<Area, Reach>;

const REACHES: Record<Reach, string> = {
  None: t({ message: "None", context: "scope" }),
  Read: t({ message: "Read", context: "scope" }),
  Write: t`Read and write`,
};

const WRITE = t({ message: "Write", context: "scope" });

interface ScopesFieldProps {
  value: Reaches;
  onChange: (value: Reaches) => void;
}

/** Selects the access level for each area of the API: a pair of scopes, to read and to write. */
export const ScopesField = ({ value, onChange }: ScopesFieldProps) => (
  <Stack component="fieldset" sx={{ gap: 2, border: 0, m: 0, p: 0, minWidth: 0 }}>
    <Typography component="legend" variant="body2" sx={{ fontWeight: 600, p: 0, mb: 0.5 }}>
      {t`Scopes`}
    </Typography>
    <Typography variant="caption" color="textSecondary" component="p">
      {t`Choose as little as the program needs. Write includes read.`}
    </Typography>
    {AREAS.map((area) => (
      <Stack
        key={area}
        direction={{ xs: "column", sm: "row" }}
        sx={{ gap: 1, alignItems: { sm: "flex-start" }, justifyContent: "space-between" }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="body2" sx={{ fontWeight: 500 }}>
            {AREA_WORDS[area].label}
          </Typography>
          <Words name={REACHES.Read} text={AREA_WORDS[area].read} />
          {AREA_WORDS[area].write && <Words name={WRITE} text={AREA_WORDS[area].write} />}
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
          {reachesOf(area).map((reach) => (
            <ToggleButton
              key={reach}
              value={reach}
              sx={{ textTransform: "none", whiteSpace: "nowrap", px: 1.25, py: 0.5 }}
            >
              {REACHES[reach]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Stack>
    ))}
  </Stack>
);

const Words = ({ name, text }: { name: string; text: string }) => (
  <Typography variant="caption" color="textSecondary" component="p">
    <b>{name}:</b> {text}
  </Typography>
);

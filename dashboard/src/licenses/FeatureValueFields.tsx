import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import MenuItem from "@mui/material/MenuItem";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../api/types";
import { AddIcon, DeleteIcon } from "../ui/icons";
import type { Pair } from "./pairs";

const MOST_VALUES = 100;

interface FeatureValueFieldsProps {
  features: readonly Pick<Schemas["Feature"], "name" | "kind">[];
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
  error?: string | undefined;
}

/** The license's own values of features, which win over those of its entitlement set. */
export function FeatureValueFields(props: FeatureValueFieldsProps) {
  const { features, pairs, onChange, error } = props;
  const taken = new Set(pairs.map(([name]) => name));
  const next = features.find(({ name }) => !taken.has(name));
  if (features.length === 0) return null;
  return (
    <Stack component="fieldset" sx={{ gap: 1, border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ fontWeight: 600, mb: 1, p: 0 }}>
        {t`Feature values of this license`}
      </Typography>
      {pairs.map(([name, typed], place) => {
        const kind = features.find((feature) => feature.name === name)?.kind ?? "Flag";
        return (
          <Stack key={name} direction="row" sx={{ gap: 1, alignItems: "center" }}>
            <TextField
              select
              label={t`Feature`}
              value={name}
              sx={{ flex: 2 }}
              onChange={(event) => {
                onChange(pairs.with(place, [event.target.value, ""]));
              }}
            >
              {features
                .filter((feature) => feature.name === name || !taken.has(feature.name))
                .map((feature) => (
                  <MenuItem key={feature.name} value={feature.name}>
                    {feature.name}
                  </MenuItem>
                ))}
            </TextField>
            <TextField
              label={t`Value`}
              required
              disabled={kind === "Flag"}
              error={error !== undefined && kind !== "Flag" && !typed.trim()}
              type={kind === "Number" ? "number" : "text"}
              value={kind === "Flag" ? t`Included` : typed}
              sx={{ flex: 3 }}
              slotProps={{ htmlInput: kind === "Number" ? { step: "any" } : { maxLength: 200 } }}
              onChange={(event) => {
                onChange(pairs.with(place, [name, event.target.value]));
              }}
            />
            <IconButton
              size="small"
              aria-label={t`Remove ${name}`}
              onClick={() => {
                onChange(pairs.toSpliced(place, 1));
              }}
            >
              <DeleteIcon />
            </IconButton>
          </Stack>
        );
      })}
      {error !== undefined && <FormHelperText error>{error}</FormHelperText>}
      {next && (
        <Button
          startIcon={<AddIcon />}
          disabled={pairs.length >= MOST_VALUES}
          sx={{ alignSelf: "flex-start" }}
          onClick={() => {
            onChange([...pairs, [next.name, ""]]);
          }}
        >
          {t`Add feature value`}
        </Button>
      )}
    </Stack>
  );
}

import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { AddIcon, DeleteIcon } from "../../../ui/icons";
import type { Pair } from "../../pairs";

const MOST_PAIRS = 50;

interface MetadataFieldsProps {
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
}

/** Key-value pairs of the vendor, delivered to applications with the license. */
export function MetadataFields({ pairs, onChange }: MetadataFieldsProps) {
  const put = (place: number, pair: Pair) => {
    onChange(pairs.with(place, pair));
  };
  return (
    <Stack component="fieldset" sx={{ gap: 1, border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ fontWeight: 600, mb: 1 }}>
        {t`Metadata`}
      </Typography>
      {pairs.map(([name, value], place) => (
        <Stack key={place} direction="row" sx={{ gap: 1, alignItems: "center" }}>
          <TextField
            label={t`Name`}
            value={name}
            sx={{ flex: 2 }}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => {
              put(place, [event.target.value, value]);
            }}
          />
          <TextField
            label={t`Value`}
            value={value}
            sx={{ flex: 3 }}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => {
              put(place, [name, event.target.value]);
            }}
          />
          <IconButton
            size="small"
            aria-label={name ? t`Remove ${name}` : t`Remove entry`}
            onClick={() => {
              onChange(pairs.toSpliced(place, 1));
            }}
          >
            <DeleteIcon />
          </IconButton>
        </Stack>
      ))}
      <Button
        startIcon={<AddIcon />}
        disabled={pairs.length >= MOST_PAIRS}
        sx={{ alignSelf: "flex-start" }}
        onClick={() => {
          onChange([...pairs, ["", ""]]);
        }}
      >
        {t`Add entry`}
      </Button>
    </Stack>
  );
}

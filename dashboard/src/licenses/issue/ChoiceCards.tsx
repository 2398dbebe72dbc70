import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import FormControl from "@mui/material/FormControl";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useId, type ReactNode } from "react";

export interface CardChoice<T extends string> {
  value: T;
  label: string;
  text: ReactNode;
}

interface ChoiceCardsProps<T extends string> {
  label: string;
  choices: readonly CardChoice<T>[];
  value: T | null;
  onChange: (value: T) => void;
  error?: string | undefined;
  /** Minimum width of a card, in pixels. */
  room?: number;
}

/** A radio group of cards, each with an explanation. */
export function ChoiceCards<T extends string>(props: ChoiceCardsProps<T>) {
  const { label, choices, value, onChange, error, room = 280 } = props;
  const id = useId();
  return (
    <FormControl error={error !== undefined} sx={{ width: "100%" }}>
      <FormLabel
        id={id}
        sx={{ mb: 1, fontWeight: 600, "&, &.Mui-focused": { color: "text.primary" } }}
      >
        {label}
      </FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value ?? ""}
        onChange={(_, chosen) => {
          onChange(chosen as T);
        }}
        sx={{
          display: "grid",
          gap: 1.5,
          gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${String(room)}px), 1fr))`,
        }}
      >
        {choices.map((choice) => (
          <Card
            key={choice.value}
            component="label"
            sx={{
              display: "flex",
              alignItems: "flex-start",
              p: 1.5,
              pl: 0.75,
              cursor: "pointer",
              borderColor: choice.value === value ? "primary.main" : undefined,
              bgcolor: choice.value === value ? "var(--selected)" : undefined,
              "&:hover": { borderColor: "primary.main" },
            }}
          >
            <Radio
              value={choice.value}
              size="small"
              sx={{ mt: -0.75 }}
              slotProps={{
                input: {
                  "aria-label": choice.label,
                  "aria-describedby": `${id}-${choice.value}`,
                  ...(error !== undefined && { "aria-invalid": true }),
                },
              }}
            />
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 600 }}>{choice.label}</Typography>
              <Typography
                id={`${id}-${choice.value}`}
                variant="body2"
                color="textSecondary"
                component="div"
              >
                {choice.text}
              </Typography>
            </Box>
          </Card>
        ))}
      </RadioGroup>
      {error !== undefined && <FormHelperText>{error}</FormHelperText>}
    </FormControl>
  );
}

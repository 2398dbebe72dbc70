import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import { eventWords } from "../ui/events";
import {
  ALL,
  type EventType,
  selectionOf,
  FAMILIES,
  isChosen,
  withFamily,
  withKind,
} from "./eventTypes";

interface EventPickerProps {
  value: readonly EventType[];
  onValue: (value: EventType[]) => void;
  /** Validation error. */
  message: string | undefined;
}

type FamilyProps = Pick<EventPickerProps, "value" | "onValue"> & {
  family: (typeof FAMILIES)[number];
};

const Kind = ({ name, tells }: { name: string; tells: string }) => (
  <Box sx={{ py: 0.5 }}>
    <Typography component="span" variant="body2" sx={{ fontWeight: 550, display: "block" }}>
      {eventWords(name)}
    </Typography>
    <Typography component="span" variant="caption" color="textSecondary" sx={{ display: "block" }}>
      {tells}
    </Typography>
  </Box>
);

function FamilyChoice({ family, value, onValue }: FamilyProps) {
  const selection = selectionOf(value, family);
  return (
    <Card
      component="fieldset"
      variant="outlined"
      sx={{ m: 0, px: 1.5, py: 1, minWidth: 0, breakInside: "avoid", mb: 2 }}
    >
      <FormControlLabel
        control={
          <Checkbox
            checked={selection === "all"}
            indeterminate={selection === "some"}
            onChange={(_, wanted) => {
              onValue(withFamily(value, family, wanted));
            }}
          />
        }
        label={
          <Typography component="span" sx={{ fontWeight: 650 }}>
            {family.label}{" "}
            <Typography component="code" variant="caption" color="textSecondary">
              {family.name}.*
            </Typography>
          </Typography>
        }
      />
      <Stack sx={{ pl: 1.5 }}>
        {family.kinds.map(([kind, tells]) => (
          <FormControlLabel
            key={kind}
            sx={{ alignItems: "flex-start", mr: 0 }}
            control={
              <Checkbox
                size="small"
                checked={isChosen(value, family, kind)}
                onChange={(_, wanted) => {
                  onValue(withKind(value, family, kind, wanted));
                }}
              />
            }
            label={<Kind name={kind} tells={tells} />}
          />
        ))}
      </Stack>
    </Card>
  );
}

/** Selects the event kinds to send: all, whole families or single kinds. */
export function EventPicker({ value, onValue, message }: EventPickerProps) {
  const id = useId();
  const isAll = value.includes(ALL);
  // Restores the previous selection when the user switches back from "all".
  const [single, setSingle] = useState<EventType[]>(isAll ? ["license.*"] : [...value]);
  const choose = (chosen: EventType[]) => {
    setSingle(chosen);
    onValue(chosen);
  };
  return (
    <FormControl error={message !== undefined} fullWidth>
      <FormLabel id={id}>{t`Events`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        {...(message !== undefined && { "aria-describedby": `${id}-message` })}
        value={isAll ? "all" : "some"}
        onChange={(_, chosen) => {
          onValue(chosen === "all" ? [ALL] : single);
        }}
      >
        <FormControlLabel
          value="all"
          control={<Radio />}
          label={t`All events, including future ones`}
        />
        <FormControlLabel value="some" control={<Radio />} label={t`Selected events`} />
      </RadioGroup>
      {message !== undefined && <FormHelperText id={`${id}-message`}>{message}</FormHelperText>}
      {!isAll && (
        <Box sx={{ columns: "300px 3", columnGap: 2, mt: 1 }}>
          {FAMILIES.map((family) => (
            <FamilyChoice key={family.name} family={family} value={value} onValue={choose} />
          ))}
        </Box>
      )}
    </FormControl>
  );
}

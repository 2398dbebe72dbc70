import { t } from "@lingui/core/macro";
import Checkbox from "@mui/material/Checkbox";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useId, useState } from "react";
import { eventWords } from "../ui/events";
import type { FieldProps } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import styles from "./eventPicker.module.css";
import {
  ALL,
  type EventType,
  selectionOf,
  FAMILIES,
  isChosen,
  withFamily,
  withKind,
} from "./eventTypes";
import type { WebhookDraft } from "./webhook";

interface FamilyProps {
  value: readonly EventType[];
  onValue: (value: EventType[]) => void;
  family: (typeof FAMILIES)[number];
}

const Kind = ({ name, tells }: { name: string; tells: string }) => (
  <>
    <span className={styles.name}>{eventWords(name)}</span>
    <span className={styles.text}>{tells}</span>
  </>
);

function FamilyChoice({ family, value, onValue }: FamilyProps) {
  const selection = selectionOf(value, family);
  return (
    <fieldset className={styles.family}>
      <FormControlLabel
        control={
          <Checkbox
            checked={selection === "all"}
            indeterminate={selection === "some"}
            onChange={(_, wanted) => onValue(withFamily(value, family, wanted))}
          />
        }
        label={
          <Typography component="span" variant="subtitle1">
            {family.label}{" "}
            <Typography component="code" variant="caption" color="textSecondary">
              {family.name}.*
            </Typography>
          </Typography>
        }
      />
      <div className={styles.kinds}>
        {family.kinds.map(([kind, tells]) => (
          <FormControlLabel
            key={kind}
            className={styles.kind}
            control={
              <Checkbox
                checked={isChosen(value, family, kind)}
                onChange={(_, wanted) => onValue(withKind(value, family, kind, wanted))}
              />
            }
            label={<Kind name={kind} tells={tells} />}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Selects the event kinds to send: all, whole families or single kinds. */
export function EventPicker(props: FieldProps<WebhookDraft, "eventTypes">) {
  const { value, set, ref, message } = useField(props);
  const id = useId();
  const isAll = value.includes(ALL);
  const isWrong = message !== undefined;
  // Restores the previous selection when the user switches back from "all".
  const [single, setSingle] = useState<EventType[]>(isAll ? ["license.*"] : value);
  const choose = (chosen: EventType[]) => {
    const ordered = chosen.toSorted();
    setSingle(ordered);
    set(ordered);
  };
  return (
    <FormControl error={isWrong} fullWidth>
      <FormLabel id={id}>{t`Events`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        {...(isWrong && { "aria-describedby": `${id}-message` })}
        value={isAll ? "all" : "some"}
        onChange={(_, chosen) => set(chosen === "all" ? [ALL] : single)}
      >
        <FormControlLabel
          value="all"
          control={<Radio />}
          label={t`All events, including future ones`}
        />
        <FormControlLabel
          value="some"
          control={
            <Radio slotProps={{ input: { ref, ...(isWrong && { "aria-invalid": true }) } }} />
          }
          label={t`Selected events`}
        />
      </RadioGroup>
      {isWrong && (
        <FormHelperText id={`${id}-message`}>{t`Select at least one event.`}</FormHelperText>
      )}
      {!isAll && (
        <div className={styles.families}>
          {FAMILIES.map((family) => (
            <FamilyChoice key={family.name} family={family} value={value} onValue={choose} />
          ))}
        </div>
      )}
    </FormControl>
  );
}

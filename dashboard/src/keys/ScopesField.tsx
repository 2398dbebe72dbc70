import { t } from "@lingui/core/macro";
import FormHelperText from "@mui/material/FormHelperText";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import type { FieldProps } from "../ui/form/useApiForm";
import { useField } from "../ui/form/useField";
import { Column, Row } from "../ui/layout/layout";
import type { KeyDraft } from "./key";
import styles from "./keys.module.css";
import { AREA_WORDS, AREAS, reachesOf, type Area, type Reach } from "./scopes";

const REACHES: Record<Reach, string> = {
  None: t({ message: "None", context: "scope" }),
  Read: t({ message: "Read", context: "scope" }),
  Write: t`Read and write`,
};

const WRITE = t({ message: "Write", context: "scope" });

/** Selects the access level for each area of the API: a pair of scopes, to read and to write. */
export function ScopesField(props: FieldProps<KeyDraft, "scopes">) {
  const id = useId();
  const { value, set, message } = useField(props);
  return (
    <Column as="fieldset" gap="l" className={styles.scopes} aria-describedby={message && id}>
      <Typography component="legend" variant="subtitle2">{t`Scopes`}</Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        {t`Choose as little as the program needs. Write includes read.`}
      </Typography>
      {AREAS.map((area) => (
        <ReachField
          key={area}
          area={area}
          value={value[area]}
          onChange={(reach) => set({ ...value, [area]: reach })}
        />
      ))}
      {message && (
        <FormHelperText id={id} error>
          {message}
        </FormHelperText>
      )}
    </Column>
  );
}

interface ReachFieldProps {
  area: Area;
  value: Reach;
  onChange: (value: Reach) => void;
}

function ReachField({ area, value, onChange }: ReachFieldProps) {
  const { label, read, write } = AREA_WORDS[area];
  return (
    <Row gap="s" align="start" place="apart" folds>
      <Column>
        <Typography variant="body2" className={styles.area}>
          {label}
        </Typography>
        <Words name={REACHES.Read} text={read} />
        {write && <Words name={WRITE} text={write} />}
      </Column>
      <ToggleButtonGroup
        exclusive
        aria-label={label}
        value={value}
        onChange={(_, reach: Reach | null) => {
          if (reach) onChange(reach);
        }}
        className={styles.reaches}
      >
        {reachesOf(area).map((reach) => (
          <ToggleButton key={reach} value={reach}>
            {REACHES[reach]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Row>
  );
}

const Words = ({ name, text }: { name: string; text: string }) => (
  <Typography variant="caption" color="textSecondary" component="p">
    <b>{name}:</b> {text}
  </Typography>
);

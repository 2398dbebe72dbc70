import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import { DateFilterField } from "../../ui/DateFilterField";
import { EVENT_KINDS, eventWords } from "../../ui/events";
import { Row } from "../../ui/layout/layout";
import styles from "./audit.module.css";
import { FILTER_NAMES, type AuditFilter } from "./auditFilters";
import { allOfFamily, familyWords } from "./families";

const familyOf = (kind: string) => `${kind.split(".")[0] ?? ""}.*`;
const OPTIONS = [...new Set(EVENT_KINDS.flatMap((kind) => [familyOf(kind), kind]))];

const labelOf = (kind: string) =>
  kind.endsWith(".*") ? allOfFamily(kind.slice(0, -2)) : eventWords(kind);

const actorLabel = (name: string | undefined) =>
  name === undefined ? t`Actor: one user or key` : t`Actor: ${name}`;

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (change: AuditFilter) => void;
}

/** Filters by event and date, and by an actor or item chosen in an entry. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const day = (name: "from" | "to", label: string) => (
    <DateFilterField
      label={label}
      value={filter[name] ?? ""}
      className={styles.day}
      onChange={(day) => onChange({ [name]: day })}
    />
  );
  const chip = (name: "actorId" | "subjectId", label: string) =>
    filter[name] && (
      <Chip
        label={label}
        onDelete={() => onChange({ [name]: "", ...(name === "actorId" && { actor: "" }) })}
      />
    );
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Row gap="m" wraps>
      <Autocomplete
        options={OPTIONS}
        value={filter.kind ?? null}
        getOptionLabel={labelOf}
        groupBy={(kind) => familyWords(kind.split(".")[0] ?? "")}
        className={styles.event}
        onChange={(_, kind) => onChange({ kind: kind ?? "" })}
        renderInput={(params) => (
          <TextField {...params} label={t`Event`} placeholder={t`All events`} />
        )}
      />
      {day("from", t({ message: "From", context: "date" }))}
      {day("to", t`To (inclusive)`)}
      {chip("actorId", actorLabel(filter.actor))}
      {chip("subjectId", t`One item`)}
      {isFiltered && (
        <Button
          onClick={() => onChange(Object.fromEntries(FILTER_NAMES.map((name) => [name, ""])))}
        >
          {t`Clear filters`}
        </Button>
      )}
    </Row>
  );
}

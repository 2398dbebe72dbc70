import { t } from "@lingui/core/macro";
import Autocomplete from "@mui/material/Autocomplete";
import TextField from "@mui/material/TextField";
import { EVENT_KINDS, eventWords } from "../../ui/events";
import { type EditorProps, type FilterKind, given } from "../../ui/list/filters/filter";
import { PERIOD_KIND } from "../../ui/list/filters/periods";
import { useListContext } from "../../ui/list/useList";
import styles from "./audit.module.css";
import { ItemFilter, PersonFilter } from "./AuditPickers";
import { allOfFamily, familyWords } from "./families";

const familyOf = (kind: string) => `${kind.split(".")[0] ?? ""}.*`;
const OPTIONS = [...new Set(EVENT_KINDS.flatMap((kind) => [familyOf(kind), kind]))];

const labelOf = (kind: string) =>
  kind.endsWith(".*") ? allOfFamily(kind.slice(0, -2)) : eventWords(kind);

/** Narrows the log to events of one kind, or of a family of kinds. */
function EventFilter({ kind, onDone }: EditorProps) {
  const { filters, setFilters } = useListContext();
  return (
    <Autocomplete
      className={styles.picker}
      openOnFocus
      options={OPTIONS}
      value={filters[kind.name] ?? null}
      getOptionLabel={labelOf}
      groupBy={(name) => familyWords(name.split(".")[0] ?? "")}
      onChange={(_, name) => {
        setFilters(given(kind, name));
        if (name !== null) onDone();
      }}
      renderInput={(params) => (
        <TextField {...params} autoFocus label={kind.label} placeholder={t`All`} />
      )}
    />
  );
}

/** What the log can be filtered by; items are found within an institution. */
export const auditKinds = (institutionId: string | null): FilterKind[] => [
  {
    name: "kind",
    label: t`Event`,
    editor: EventFilter,
    words: ({ kind = "" }) => t`Event: ${{ event: labelOf(kind) }}`,
  },
  {
    name: "actorId",
    also: ["actor"],
    label: t`Person`,
    editor: ({ onDone }) => <PersonFilter institutionId={institutionId} onDone={onDone} />,
    words: ({ actor = t`One user or key` }) => t`Person: ${{ person: actor }}`,
  },
  {
    name: "subjectId",
    also: ["subject"],
    label: t({ message: "Item", context: "of the audit log" }),
    ...(institutionId !== null && {
      editor: ({ onDone }: EditorProps) => (
        <ItemFilter institutionId={institutionId} onDone={onDone} />
      ),
    }),
    words: ({ subject = t`One item` }) => t`Item: ${{ item: subject }}`,
  },
  PERIOD_KIND,
];

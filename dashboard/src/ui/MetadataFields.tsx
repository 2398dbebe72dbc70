import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import type { FieldValues, Path } from "react-hook-form";
import type { FieldProps } from "./form/useApiForm";
import { useField } from "./form/useField";
import { PairRow, PairRows } from "./PairRows";
import type { Pair } from "./pairs";

const MOST_PAIRS = 50;

const isNameless = ([name, value]: Pair) => name.trim() === "" && value.trim() !== "";

const faultOf = (pairs: unknown) =>
  (pairs as readonly Pair[]).some(isNameless) ? t`Each value needs a name.` : undefined;

/** The pairs that have a name or a value, as an object. */
const metadataOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(
    pairs
      .map(([name, value]) => [name.trim(), value] as const)
      .filter(([name, value]) => name !== "" || value !== ""),
  );

/** The same as a field of a form. */
export const METADATA = {
  read: (pairs: Record<string, string> = {}): readonly Pair[] => Object.entries(pairs),
  send: metadataOf,
};

/** Key-value pairs of the vendor, delivered to applications with the license. */
export function MetadataFields<Values extends FieldValues, Name extends Path<Values>>(
  props: FieldProps<Values, Name>,
) {
  const { value, set, ref, message } = useField(props, { fault: faultOf });
  const pairs = value as readonly Pair[];
  const nameless = pairs.findIndex(isNameless);
  const put = (place: number, pair: Pair) => set(pairs.with(place, pair));
  return (
    <PairRows
      title={t`Metadata`}
      error={message}
      add={t`Add entry`}
      isFull={pairs.length >= MOST_PAIRS}
      onAdd={() => set([...pairs, ["", ""]])}
    >
      {pairs.map(([name, value], place) => (
        <PairRow
          key={place}
          remove={name ? t`Remove ${name}` : t`Remove entry`}
          onRemove={() => set(pairs.toSpliced(place, 1))}
        >
          <TextField
            label={t`Name`}
            value={name}
            error={message !== undefined && isNameless([name, value])}
            inputRef={place === nameless ? ref : null}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => put(place, [event.target.value, value])}
          />
          <TextField
            label={t`Value`}
            value={value}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            onChange={(event) => put(place, [name, event.target.value])}
          />
        </PairRow>
      ))}
    </PairRows>
  );
}

import { t } from "@lingui/core/macro";
import TextField from "@mui/material/TextField";
import type { FieldProps } from "../../../ui/form/useApiForm";
import { useField } from "../../../ui/form/useField";
import { PairRow, PairRows } from "../../PairRows";
import type { Pair } from "../../pairs";
import type { Draft } from "./draft";

const MOST_PAIRS = 50;

const isNameless = ([name, value]: Pair) => name.trim() === "" && value.trim() !== "";

const faultOf = (pairs: unknown) =>
  (pairs as readonly Pair[]).some(isNameless) ? t`Each value needs a name.` : undefined;

/** Key-value pairs of the vendor, delivered to applications with the license. */
export function MetadataFields(props: FieldProps<Draft, "metadata">) {
  const { value: pairs, set, ref, message } = useField(props, { fault: faultOf });
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

import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Ref } from "react";
import type { Schemas } from "../api/types";
import { PairRow, PairRows } from "../ui/PairRows";
import type { Pair } from "../ui/pairs";

const MOST_VALUES = 100;

export type ValuedFeature = Pick<Schemas["Feature"], "name" | "kind">;

const kindIn = (features: readonly ValuedFeature[], name: string) =>
  features.find((feature) => feature.name === name)?.kind ?? "Flag";

/** The place of the first value that is still to be filled in; -1 if there is none. */
export const missingIn = (features: readonly ValuedFeature[], pairs: readonly Pair[]): number =>
  pairs.findIndex(([name, typed]) => kindIn(features, name) !== "Flag" && !typed.trim());

interface FeatureValueFieldsProps {
  features: readonly ValuedFeature[];
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
  error?: string | undefined;
  /** Of the first value that is still to be filled in. */
  missingRef?: Ref<HTMLInputElement>;
}

/** The license's own values of features, which win over those of its entitlement set. */
export function FeatureValueFields(props: FeatureValueFieldsProps) {
  const { features, pairs, onChange, error, missingRef = null } = props;
  const taken = new Set(pairs.map(([name]) => name));
  const next = features.find(({ name }) => !taken.has(name));
  const missing = missingIn(features, pairs);
  if (features.length === 0) return null;
  return (
    <PairRows
      title={t`Feature values of this license`}
      error={error}
      add={t`Add feature value`}
      isFull={pairs.length >= MOST_VALUES}
      onAdd={next && (() => onChange([...pairs, [next.name, ""]]))}
    >
      {pairs.map(([name, typed], place) => {
        const kind = kindIn(features, name);
        return (
          <PairRow
            key={name}
            remove={t`Remove ${name}`}
            onRemove={() => onChange(pairs.toSpliced(place, 1))}
          >
            <TextField
              select
              label={t`Feature`}
              value={name}
              onChange={(event) => onChange(pairs.with(place, [event.target.value, ""]))}
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
              inputRef={place === missing ? missingRef : null}
              slotProps={{ htmlInput: kind === "Number" ? { step: "any" } : { maxLength: 200 } }}
              onChange={(event) => onChange(pairs.with(place, [name, event.target.value]))}
            />
          </PairRow>
        );
      })}
    </PairRows>
  );
}

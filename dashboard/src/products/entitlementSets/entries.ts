import type { Schemas } from "../../api/types";
import { valueOf } from "../../ui/featureValues";

type Entry = Schemas["Entry"];
type Feature = Pick<Schemas["Feature"], "name" | "kind">;

/** The values of the entries as texts to edit. */
export const valuesOf = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ featureName, value }) => [featureName, String(value ?? "")]));

/** The entries of the chosen features. */
export const entriesOf = (
  features: readonly Feature[],
  values: Readonly<Record<string, string>>,
): Entry[] =>
  features.map((feature) => ({
    featureName: feature.name,
    ...(feature.kind !== "Flag" && { value: valueOf(feature, values[feature.name]) }),
  }));

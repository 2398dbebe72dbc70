import type { Schemas } from "../../api/types";
import { valueOf } from "../../ui/featureValues";

export type EntitlementSet = Schemas["EntitlementSet"];

type Feature = Pick<Schemas["Feature"], "name" | "kind">;

/** What the dialog holds; the value of a feature is as typed, and empty for a flag. */
export interface SetDraft {
  name: string;
  entries: { featureName: string; value: string }[];
}

export const draftOf = (set: EntitlementSet | undefined): SetDraft => ({
  name: set?.name ?? "",
  entries: (set?.entries ?? []).map(({ featureName, value }) => ({
    featureName,
    value: String(value ?? ""),
  })),
});

/** The request body, with the features that the product still has. */
export const bodyOf = ({ name, entries }: SetDraft, features: readonly Feature[]) => ({
  name: name.trim(),
  entries: entries.flatMap(({ featureName, value }) => {
    const feature = features.find((item) => item.name === featureName);
    if (!feature) return [];
    return [{ featureName, ...(feature.kind !== "Flag" && { value: valueOf(feature, value) }) }];
  }),
});

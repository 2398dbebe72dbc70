import type { Schemas } from "../api/types";

export type FeatureValue = NonNullable<Schemas["Entry"]["value"]>;

/** A value as people read it: "max-projects: 25", or the name alone for a flag. */
export const entryText = (name: string, value: FeatureValue | undefined): string =>
  value === undefined || value === true ? name : `${name}: ${String(value)}`;

/** What was typed as a value of the feature's kind. */
export const valueOf = (
  { kind }: Pick<Schemas["Feature"], "kind">,
  typed: string | undefined,
): FeatureValue => {
  if (kind === "Flag") return true;
  return kind === "Number" ? Number(typed) : (typed ?? "").trim();
};

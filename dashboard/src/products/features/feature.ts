import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

export type Feature = Schemas["Feature"];

/** Display names of the kinds of features. */
export const KIND_LABELS: Record<Feature["kind"], string> = {
  Flag: t`Flag`,
  Number: t({ message: "Number", context: "kind of feature" }),
  Text: t`Text`,
};

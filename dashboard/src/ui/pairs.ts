import type { Schemas } from "../api/types";

/** The kinds of the product's features by their names. */
export type Kinds = ReadonlyMap<string, Schemas["FeatureKind"]>;

/** A name and what was typed for it. */
export type Pair = readonly [name: string, value: string];

import type { Schemas } from "../../api/types";

/** With the `id` that lists give every item. */
export type Member = Schemas["Member"] & { id: string };

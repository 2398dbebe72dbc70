import type { Schemas } from "../../api/types";

/** With the `id` that react-admin needs. */
export type Member = Schemas["Member"] & { id: string };

import type { Schemas } from "../../api/types";

export type Feature = Schemas["Feature"];

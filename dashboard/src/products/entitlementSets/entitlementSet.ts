import type { Schemas } from "../../api/types";

export type EntitlementSet = Schemas["EntitlementSet"];

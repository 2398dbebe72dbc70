import type { Schemas } from "../../api/types";

export type Invitation = Schemas["Invitation"];

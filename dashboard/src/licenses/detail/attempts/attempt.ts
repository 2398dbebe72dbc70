import type { Schemas } from "../../../api/types";

export type Attempt = Schemas["AccessAttempt"];

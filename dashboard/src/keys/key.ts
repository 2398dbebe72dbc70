import type { Schemas } from "../api/types";

export type IssuedKey = Schemas["IssuedApiKey"];

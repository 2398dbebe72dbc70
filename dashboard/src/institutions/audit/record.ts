import type { Schemas } from "../../api/types";

export type AuditRecord = Schemas["AuditEntry"];

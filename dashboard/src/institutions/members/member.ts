import type { Schemas } from "../../api/types";

/** With the id under which react-admin knows records. */
export type Member = Schemas["MemberView"] & { id: string };

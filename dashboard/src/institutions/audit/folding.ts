import type { Schemas } from "../../api/types";

type AuditRecord = Schemas["AuditEntry"];

/** An entry, and how many neighbors it stands for, itself included. */
export interface Folded {
  record: AuditRecord;
  count: number;
}

/** What neighbors have to share: who did the same, to other items and in the same fields. */
const likeness = ({ kind, actorKind, actorId, actorName, ipAddress, changes }: AuditRecord) =>
  JSON.stringify([kind, actorKind, actorId, actorName, ipAddress, changes]);

/** Equal neighbors as one, with the first of them; those that it stands for are shown once it is unfolded. */
export function foldedOf(records: readonly AuditRecord[], unfolded: ReadonlySet<string>): Folded[] {
  const folded: Folded[] = [];
  let first: AuditRecord | undefined;
  for (const record of records) {
    const last = folded.at(-1);
    const isLike = first !== undefined && likeness(first) === likeness(record);
    if (!isLike) first = record;
    if (isLike && last && first && !unfolded.has(first.id)) last.count += 1;
    else folded.push({ record, count: 1 });
  }
  return folded;
}

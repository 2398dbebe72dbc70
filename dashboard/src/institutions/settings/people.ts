import { namesOf } from "../../ui/bulk/useBulkRun";
import { list } from "../../ui/formats";

const SHOWN = 5;

/** "Ada Owner, Mara Lindner and 3 more." */
export function namesText(people: readonly { fullName: string }[], count = people.length): string {
  const names = people.map(({ fullName }) => fullName);
  return count <= SHOWN ? list(names) : namesOf(names, SHOWN, count);
}

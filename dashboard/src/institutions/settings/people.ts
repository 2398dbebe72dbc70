import { plural } from "@lingui/core/macro";
import { list } from "../../ui/formats";

const SHOWN = 5;

/** "Ada Owner, Mara Lindner and 3 more." */
export function namesText(people: readonly { fullName: string }[], count = people.length): string {
  const shown = people.slice(0, SHOWN).map(({ fullName }) => fullName);
  const rest = count - shown.length;
  if (rest <= 0) return list(shown);
  const names = shown.join(", ");
  return plural(rest, { other: `${names} and # more` });
}

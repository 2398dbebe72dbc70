/** The English sentences, which are the messages of errors. */

import { ENGLISH } from "./english.js";
import { fill } from "./fill.js";

/** The English sentence of a code; `null` is a value that is not known. */
export function english(
  code: string,
  values: Readonly<Record<string, string | number | null>> = {},
): string {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null) texts.set(name, String(value));
  }
  return fill((ENGLISH as Readonly<Record<string, string>>)[code] ?? "", texts);
}

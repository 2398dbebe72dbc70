/** A license.bin for other hardware IDs, which names the components of the machine that it is for. */

import { type LicenseFile, malformed, readObject } from "../core/claims.js";
import { decodeSegment, isProtected, requireThat } from "../core/jose.js";
import { parseObject } from "../core/json.js";
import { openProtected } from "../core/sealed.js";
import type { Components } from "./components.js";

/** A license.bin, and what recognizes its machine by other things than the hardware ID. */
export interface MachineFile extends LicenseFile {
  readonly match: Match | null;
}

export interface Match {
  readonly components: Components;
  /** How many of them the machine has to have. */
  readonly atLeast: number;
}

/**
 * Reads the components that a verified file names; `null` if it is for its hardware IDs alone.
 *
 * @throws RejectedToken They are malformed.
 */
export async function readMatch(text: string, normalKey: string | null): Promise<Match | null> {
  const token =
    isProtected(text) && normalKey !== null ? await openProtected(text, normalKey) : text;
  const claims = parseObject(decodeSegment(token.split(".")[1] ?? "")) ?? {};
  const components = claims["components"] == null ? {} : readObject(claims, "components");
  const values = Object.values(components);
  requireThat(
    values.every((value) => typeof value === "string"),
    malformed("components"),
  );
  if (claims["machineMatch"] == null) return null;
  const { atLeast, of } = readObject(claims, "machineMatch");
  requireThat(isMatch(atLeast, of), malformed("machineMatch"));
  return values.length >= (of as number)
    ? { components: components as Components, atLeast: atLeast as number }
    : null;
}

function isMatch(atLeast: unknown, of: unknown): boolean {
  if (!Number.isSafeInteger(atLeast) || !Number.isSafeInteger(of)) return false;
  const [equal, all] = [atLeast as number, of as number];
  return all >= 2 && all <= 8 && all / 2 < equal && equal <= all;
}

/** Whether the machine has enough of the components that a file names. */
export function isRecognized(match: Match, components: Components): boolean {
  const names = Object.keys(match.components);
  return (
    names.filter((name) => match.components[name] === components[name]).length >= match.atLeast
  );
}

/**
 * What a settings file may say about whom to trust, since the end user can edit it.
 *
 * What the code names wins. A file that alone names a public key or a longer grace period is
 * followed, with a warning, unless the code turns `trustSettings` off.
 */

import { ConfigurationError } from "./errors.js";
import { readPublicKey, readPublicKeys, type RsaNumbers } from "./publicKey.js";
import type { Settings } from "./settings.js";
import { DAY } from "./time.js";

const DEFAULT_GRACE_DAYS = 7;
const MAX_GRACE_DAYS = 36_500;

export type Given = Readonly<Record<string, unknown>>;

/** The options of the code, then those of the settings file. `null` counts as not given. */
export function merge(code: Given, settings: Settings): Given {
  const named = Object.entries(code).filter(([, value]) => value != null);
  const stated = Object.entries(settings.options).filter(
    ([name]) => !namesKey(code) || !isKeyOption(name),
  );
  return Object.fromEntries([...stated, ...named]);
}

function isKeyOption(name: string): boolean {
  return name === "publicKey" || name === "publicKeys";
}

function namesKey(options: Given): boolean {
  return options["publicKey"] != null || options["publicKeys"] != null;
}

/**
 * Reads the public keys that are trusted.
 *
 * @throws ConfigurationError There is none, there are two lists of them, or one is not a public key.
 */
export function trustedKeys(given: Given): readonly RsaNumbers[] {
  const [one, several] = [given["publicKey"] ?? null, given["publicKeys"] ?? null];
  if (one !== null && several !== null) {
    throw new ConfigurationError(
      "PublicKey and PublicKeys set the same option. Name every key in PublicKeys, and remove " +
        "PublicKey.",
    );
  }
  if (several !== null) return readPublicKeys(several);
  if (one === null || one === "") {
    throw new ConfigurationError(
      "PublicKey is missing. Pass publicKey in the application's code; the product's page in the " +
        "dashboard shows it.",
    );
  }
  return [readPublicKey(one)];
}

/** The grace period in milliseconds, and what the settings file says that only the code should. */
export interface Trust {
  readonly grace: number;
  readonly warnings: readonly string[];
}

/**
 * Decides how far the settings file is followed.
 *
 * @throws ConfigurationError A value is out of range, or the code does not trust the file.
 */
export function assessTrust(code: Given, settings: Settings): Trust {
  const found: string[] = [];
  if (namesKey(settings.options) && !namesKey(code)) {
    found.push(
      `The public key comes from ${settings.name}, and whoever can edit that file can replace it ` +
        "and sign licenses. Name the key in the application's code (publicKeys).",
    );
  }
  const ceiling = days(code["maxGracePeriodDays"], "maxGracePeriodDays");
  const named = days(code["gracePeriodDays"], "gracePeriodDays");
  if (named !== null && ceiling !== null && named > ceiling) {
    throw new ConfigurationError("gracePeriodDays must not exceed maxGracePeriodDays.");
  }
  const stated =
    named === null ? days(settings.options["gracePeriodDays"], "GracePeriodDays") : null;
  if (stated !== null && ceiling === null && stated > DEFAULT_GRACE_DAYS) {
    found.push(
      `${settings.name} extends the grace period to ${stated} days. Name gracePeriodDays or ` +
        "maxGracePeriodDays in the application's code.",
    );
  }
  if (found[0] !== undefined && code["trustSettings"] === false) {
    throw new ConfigurationError(`${found[0]} The application does not accept this.`);
  }
  const grace = named ?? Math.min(stated ?? DEFAULT_GRACE_DAYS, ceiling ?? MAX_GRACE_DAYS);
  if (stated !== null && stated > grace) {
    found.push(
      `${settings.name} asks for a grace period of ${stated} days; the application allows ${grace}.`,
    );
  }
  return { grace: grace * DAY, warnings: found };
}

function days(value: unknown, label: string): number | null {
  if (value == null) return null;
  if (typeof value === "number" && value >= 0 && value < MAX_GRACE_DAYS) return value;
  throw new ConfigurationError(
    `${label} is not a grace period: it must be a number of days, 0 or more.`,
  );
}

/**
 * What a settings file may say about whom to trust, since the end user can edit it.
 *
 * What the code names wins. A file that alone names a public key or a longer grace period is
 * followed, with a warning, unless the code turns `trustSettings` off.
 */

import { ConfigurationError } from "./errors.js";
import { days, type Given, givenInCode, graceOf } from "./given.js";
import type { ClientOptions } from "./options.js";
import type { Settings } from "./settings.js";
import { DAY } from "./time.js";

/**
 * The options of the code, then those of the settings file, which cannot name what is trusted if the
 * code does.
 *
 * @throws ConfigurationError A value is out of range, or the code does not trust the file.
 */
export function givenWithSettings(code: ClientOptions, settings: Settings): Given {
  const given = givenInCode(code);
  const { grace, warnings } = assess(code, given, settings);
  return { ...given, options: merge(code, settings), grace, warnings };
}

/** `null` counts as not given. */
function merge(code: ClientOptions, settings: Settings): ClientOptions {
  const named = Object.entries(code).filter(([, value]) => value != null);
  const stated = Object.entries(settings.options).filter(
    ([name]) => !namesKey(code) || !["publicKey", "publicKeys"].includes(name),
  );
  return Object.fromEntries([...stated, ...named]);
}

function namesKey({ publicKey, publicKeys }: ClientOptions): boolean {
  return (publicKey ?? publicKeys) != null;
}

function assess(
  code: ClientOptions,
  given: Given,
  { name, options }: Settings,
): Pick<Given, "grace" | "warnings"> {
  const found: string[] = [];
  if (namesKey(options) && !namesKey(code)) {
    found.push(
      `The public key comes from ${name}, and whoever can edit that file can replace it ` +
        "and sign licenses. Name the key in the application's code (publicKeys).",
    );
  }
  const stated =
    code.gracePeriodDays == null ? days(options["gracePeriodDays"], "GracePeriodDays") : null;
  if (stated !== null && code.maxGracePeriodDays == null && stated * DAY > given.grace) {
    found.push(
      `${name} extends the grace period to ${stated} days. Name gracePeriodDays or ` +
        "maxGracePeriodDays in the application's code.",
    );
  }
  if (found[0] !== undefined && code.trustSettings === false) {
    throw new ConfigurationError(`${found[0]} The application does not accept this.`);
  }
  const grace = graceOf(code, stated);
  if (stated !== null && stated * DAY > grace) {
    found.push(
      `${name} asks for a grace period of ${stated} days; the application allows ` +
        `${grace / DAY}.`,
    );
  }
  return { grace, warnings: found };
}

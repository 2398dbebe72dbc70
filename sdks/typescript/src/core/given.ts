/** What the application says about its client. */

import { ConfigurationError } from "./errors.js";
import { type ClientOptions, optionFault } from "./options.js";
import { DAY } from "./time.js";

const DEFAULT_GRACE_DAYS = 7;
const MAX_GRACE_DAYS = 36_500;

/** The options of a client, from its code and from a settings file. */
export interface Given {
  readonly options: ClientOptions;
  readonly grace: number;
  /** What the settings file says that only the code should. */
  readonly warnings: readonly string[];
  /** Whether the code names the authorities, to which the environment then adds none. */
  readonly authoritiesNamedInCode: boolean;
}

/**
 * The options that the code names.
 *
 * @throws ConfigurationError One is not known or has the wrong type.
 */
export function givenInCode(options: ClientOptions): Given {
  const fault = optionFault({ ...options });
  if (fault !== null) throw new ConfigurationError(fault);
  const authoritiesNamedInCode = options.caBundle != null;
  return { options, grace: graceOf(options, null), warnings: [], authoritiesNamedInCode };
}

/**
 * The grace period in milliseconds.
 *
 * @param stated The days that a settings file asks for.
 * @throws ConfigurationError A value is out of range.
 */
export function graceOf(options: ClientOptions, stated: number | null): number {
  const named = days(options.gracePeriodDays, "gracePeriodDays");
  const ceiling = days(options.maxGracePeriodDays, "maxGracePeriodDays") ?? MAX_GRACE_DAYS;
  if (named !== null && named > ceiling) {
    throw new ConfigurationError("gracePeriodDays must not exceed maxGracePeriodDays.");
  }
  return (named ?? Math.min(stated ?? DEFAULT_GRACE_DAYS, ceiling)) * DAY;
}

/** A grace period in days; `null` if there is none. */
export function days(value: unknown, label: string): number | null {
  if (value == null) return null;
  if (typeof value === "number" && value >= 0 && value < MAX_GRACE_DAYS) return value;
  throw new ConfigurationError(`${label} must be a number of days, 0 or more.`);
}

/** Amounts of credits as whole millionths, so that sums and products are exact. */

const PLACES = 6;
const PLAIN = /^(0|[1-9]\d{0,19})(?:\.(\d{0,5}[1-9]))?$/;
const GIVEN = /^0*(\d+?)(?:\.(\d*?)0*)?$/;

/** The millionths of a plain decimal; `null` for any other spelling, also of the same number. */
export function readMicros(text: unknown): bigint | null {
  const match = typeof text === "string" ? PLAIN.exec(text) : null;
  if (match === null) return null;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(PLACES, "0"));
}

/** The plain decimal notation of millionths. */
export function plainAmount(micros: bigint): string {
  const digits = micros.toString().padStart(PLACES + 1, "0");
  const fraction = digits.slice(-PLACES).replace(/0+$/, "");
  return digits.slice(0, -PLACES) + (fraction === "" ? "" : `.${fraction}`);
}

/**
 * The millionths of an amount that an application gives.
 *
 * @throws RangeError It is not above 0, has more than 6 decimal places, or is longer than JSON numbers
 *   are exact.
 */
export function givenMicros(amount: number | string): bigint {
  const [, whole = "", fraction = ""] = GIVEN.exec(String(amount)) ?? [];
  const micros = readMicros(fraction === "" ? whole : `${whole}.${fraction}`);
  const isExact = micros !== null && readMicros(String(Number(plainAmount(micros)))) === micros;
  if (micros !== null && micros > 0n && isExact) return micros;
  throw new RangeError("credits must be above 0, with at most 6 decimal places and 15 digits.");
}

/**
 * The parts of the SDK that are loaded at their first use, because many applications never use them.
 *
 * `validate()` does without each of them, so it works where a part cannot be loaded.
 */

import { NetworkError } from "./errors.js";

/** The errors of the responses that are no success. */
export const faults = () => load(import("./faults.js"));
/** Fetching and storing license.bin. */
export const files = () => load(import("./refresh.js"));
export const metering = () => load(import("./metering.js"));
/** Opening licenses. */
export const opening = () => load(import("./opening.js"));
/** Activations, and the seats of open licenses. */
export const seats = () => load(import("./claimSeat.js"));
export const sessions = () => load(import("./liveSession.js"));
export const telemetry = () => load(import("./telemetry.js"));
export const updates = () => load(import("./updates.js"));

/** @throws NetworkError A page could not load the part. */
export async function load<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    throw new NetworkError(
      `A part of the application could not be loaded (${reasonOf(error)}). Check the internet ` +
        "connection and try again.",
      { cause: error },
    );
  }
}

/** What an exception says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

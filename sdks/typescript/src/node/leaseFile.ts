/** What this machine keeps of a borrowed seat or of reserved credits, in files next to the state. */

import { rm } from "node:fs/promises";

import { utf8 } from "../core/bytes.js";
import { LicenseFileError } from "../core/errors.js";
import { isObject, type Json, parseObject } from "../core/json.js";
import { reasonOf } from "../core/parts.js";
import type { Files } from "../core/platform.js";

const MAX_BYTES = 1 << 21;

/** A request whose answer has not come: sent again as it was, it changes nothing twice. */
export interface Pending {
  readonly idempotencyKey: string;
  readonly days: number;
  /** The session that is borrowed. */
  readonly sessionId?: string | undefined;
  /** The credits that are reserved, as a plain decimal. */
  readonly amount?: string | undefined;
  /** The lease that is renewed, as this machine has it. */
  readonly seq?: number | undefined;
}

/** Written before each request that changes it. */
export interface KeptLease {
  readonly token?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly pending?: Pending | undefined;
  /** The receipt of what is not used any more, until the server has it. */
  readonly returning?: string | undefined;
  /** How many lines of the journal the server has. */
  readonly reported?: number | undefined;
}

export class LeaseFile {
  constructor(
    private readonly files: Files,
    readonly path: string,
  ) {}

  /** What is kept; nothing if the file is missing or damaged. */
  async read(): Promise<KeptLease> {
    const raw = await this.files.read(this.path, MAX_BYTES).catch(() => null);
    const kept = raw === null ? null : parseObject(raw);
    return kept !== null && isKept(kept) ? kept : {};
  }

  /**
   * Replaces what is kept; without anything, the file goes.
   *
   * @throws LicenseFileError It cannot be written.
   */
  async write(kept: KeptLease): Promise<void> {
    const isNothing = Object.values(kept).every((value) => value === undefined);
    try {
      if (isNothing) await rm(this.path, { force: true });
      else await this.files.write(this.path, utf8(JSON.stringify(kept)));
    } catch (cause) {
      throw new LicenseFileError(
        `${this.path}, where a lease is kept, cannot be written: ${reasonOf(cause)}. Check ` +
          "the permissions of its folder.",
        { cause },
      );
    }
  }
}

function isKept(kept: Json): kept is Json & KeptLease {
  const { token, sessionId, pending, returning, reported } = kept;
  return (
    [token, sessionId, returning].every(isTextOrNone) &&
    isCountOrNone(reported) &&
    (pending === undefined || isPending(pending))
  );
}

function isPending(pending: unknown): boolean {
  if (!isObject(pending)) return false;
  const { idempotencyKey, days, sessionId, amount, seq } = pending;
  return (
    typeof idempotencyKey === "string" &&
    Number.isSafeInteger(days) &&
    isTextOrNone(sessionId) &&
    isTextOrNone(amount) &&
    isCountOrNone(seq)
  );
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isCountOrNone(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** What this machine keeps of its offline requests, in a file next to the state. */

import { utf8 } from "../core/bytes.js";
import { LicenseFileError } from "../core/errors.js";
import { isObject, parseObject } from "../core/json.js";
import { reasonOf } from "../core/parts.js";
import type { Files } from "../core/platform.js";

const MAX_BYTES = 1 << 16;

export type OfflineKind = "Activate" | "Refresh" | "Release";

/** A request whose answer has not been installed. */
export interface PendingRequest {
  readonly text: string;
  readonly nonce: string;
  readonly seq: number;
  readonly kind: OfflineKind;
  /** The base file that an answer code would bind to this machine. */
  readonly base?: string | undefined;
}

/** The code that makes a base file one for this machine. */
export interface AcceptedCode {
  readonly code: string;
  readonly nonce: string;
  readonly base: string;
  readonly endsDay: number;
}

/** What this machine does not use any more. */
export interface Released {
  readonly seq: number;
  readonly file: string;
  readonly text: string;
  readonly code?: string | null;
}

export interface OfflineState {
  /** The number of the last request; it never falls. */
  readonly seq: number;
  readonly pending: PendingRequest | null;
  readonly answer: AcceptedCode | null;
  readonly released: Released | null;
}

const NOTHING: OfflineState = { seq: 0, pending: null, answer: null, released: null };

export class OfflineFile {
  constructor(
    private readonly files: Files,
    readonly path: string,
  ) {}

  /** What is kept; nothing if the file is missing or damaged. */
  async read(): Promise<OfflineState> {
    const raw = await this.files.read(this.path, MAX_BYTES).catch(() => null);
    const kept = raw === null ? null : parseObject(raw);
    if (kept === null || !isNumber(kept["seq"])) return NOTHING;
    return {
      seq: kept["seq"],
      pending: part(kept["pending"], ["text", "nonce", "kind"], ["seq"]) as PendingRequest | null,
      answer: part(kept["answer"], ["code", "nonce", "base"], ["endsDay"]) as AcceptedCode | null,
      released: part(kept["released"], ["text", "file"], ["seq"]) as Released | null,
    };
  }

  /**
   * Replaces what is kept.
   *
   * @throws LicenseFileError It cannot be written.
   */
  async write(kept: OfflineState): Promise<void> {
    try {
      await this.files.write(this.path, utf8(JSON.stringify(kept)));
    } catch (cause) {
      throw new LicenseFileError(
        `${this.path}, where offline requests are kept, cannot be written: ${reasonOf(cause)}. ` +
          "Check the permissions of its folder.",
        { cause },
      );
    }
  }
}

/** A part of the file; `null` if one of its fields is missing. */
function part(value: unknown, texts: string[], numbers: string[]): object | null {
  if (!isObject(value)) return null;
  const fits =
    texts.every((name) => typeof value[name] === "string") &&
    numbers.every((name) => isNumber(value[name]));
  return fits ? value : null;
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

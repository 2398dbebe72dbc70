/** The journal of reserved credits on disk. A charge is there before the application learns of it. */

import type { FileHandle } from "node:fs/promises";
import { rm } from "node:fs/promises";

import { type Bytes, fromUtf8, utf8 } from "../core/bytes.js";
import { LicenseFileError } from "../core/errors.js";
import { reasonOf } from "../core/parts.js";
import { FILES, openStored } from "./files.js";
import { Journal } from "./journal.js";

const MAX_BYTES = 1 << 28;
const NEWLINE = 10;

/** What has been read of a file, and where its last whole line begins and ends. */
interface Seen {
  readonly journal: Journal;
  readonly last: number;
  readonly end: number;
}

/**
 * The first line is the lease's ID. A last line without its end was never confirmed to anybody: it does
 * not count, and the next charge replaces it.
 */
export class JournalFile {
  #seen: Seen | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /** The journal of a lease; `null` if it is missing, damaged or that of another lease. */
  read(leaseId: string): Promise<Journal | null> {
    return this.#exclusively(async () => {
      try {
        return await this.#opened("read", (file) => this.#load(file, leaseId));
      } catch {
        return null;
      }
    });
  }

  /** All lines of a journal that can be read. */
  async lines(leaseId: string): Promise<string[]> {
    const journal = await this.read(leaseId);
    const content = journal && (await FILES.read(this.path, MAX_BYTES).catch(() => null));
    const lines = content && wholeLines(content);
    return lines?.slice(1, 1 + (journal?.lines ?? 0)) ?? [];
  }

  /**
   * Begins the journal of a new lease, in place of another one.
   *
   * @throws LicenseFileError It cannot be written.
   */
  async create(leaseId: string): Promise<void> {
    await this.#exclusively(async () => {
      this.#seen = null;
      await FILES.write(this.path, utf8(`${leaseId}\n`)).catch((cause: unknown) => {
        throw this.#unwritable(cause);
      });
    });
  }

  /**
   * Adds a line, which is on the disk when this returns.
   *
   * @throws LicenseFileError It cannot be written; the journal is as it was.
   */
  async append(leaseId: string, line: string): Promise<Journal> {
    return this.#exclusively(async () => {
      try {
        return await this.#opened("write", (file) => this.#add(file, leaseId, line));
      } catch (cause) {
        this.#seen = null;
        throw this.#unwritable(cause);
      }
    });
  }

  async remove(): Promise<void> {
    await this.#exclusively(() => rm(this.path, { force: true }));
  }

  async #add(file: FileHandle, leaseId: string, line: string): Promise<Journal> {
    const journal = await this.#load(file, leaseId);
    const end = this.#seen?.end;
    if (journal === null || end === undefined) throw new Error("it is damaged");
    if (!journal.precedes(line)) throw new Error("another process has written to it meanwhile");
    try {
      await file.truncate(end);
      await file.write(`${line}\n`, end);
      await file.sync();
    } catch (error) {
      await file.truncate(end).catch(() => undefined);
      throw error;
    }
    const after = await this.#load(file, leaseId);
    if (after === null) throw new Error("it was changed meanwhile");
    return after;
  }

  async #opened<T>(purpose: "read" | "write", work: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await openStored(this.path, purpose);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  /** Reads what is new, or all if the last line is not the one that was read. */
  async #load(file: FileHandle, leaseId: string): Promise<Journal | null> {
    const { size } = await file.stat();
    const seen = this.#seen;
    this.#seen = null;
    if (size > MAX_BYTES) return null;
    if (seen !== null && seen.journal.leaseId === leaseId && size >= seen.end) {
      const tail = await readFrom(file, seen.last, size);
      const [line, ...rest] = wholeLines(tail) ?? [];
      if (line !== undefined && seen.journal.endsWith(line) && takes(seen.journal, rest)) {
        return this.#keep(seen.journal, tail, seen.last);
      }
    }
    const content = await readFrom(file, 0, size);
    const [first, ...lines] = wholeLines(content) ?? [];
    const journal = new Journal(leaseId);
    return first === leaseId && takes(journal, lines) ? this.#keep(journal, content, 0) : null;
  }

  #keep(journal: Journal, content: Uint8Array, from: number): Journal {
    const end = endOf(content);
    this.#seen = { journal, last: from + endOf(content.subarray(0, end - 1)), end: from + end };
    return journal;
  }

  #unwritable(cause: unknown): LicenseFileError {
    return new LicenseFileError(
      `${this.path}, the journal of reserved credits, cannot be written: ${reasonOf(cause)}. Check ` +
        "the permissions of its folder and the space on the disk.",
      { cause },
    );
  }

  #exclusively<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(action, action);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

async function readFrom(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(to - from);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** Where the last whole line ends. */
function endOf(content: Uint8Array): number {
  return content.lastIndexOf(NEWLINE) + 1;
}

/** The whole lines, without their ends; `null` if they are not UTF-8. */
function wholeLines(content: Uint8Array): string[] | null {
  const text = fromUtf8(content.subarray(0, endOf(content)) as Bytes);
  return text?.split("\n").slice(0, -1) ?? null;
}

/** Whether lines are the next ones of a journal, which then has them. */
function takes(journal: Journal, lines: readonly string[]): boolean {
  return lines.every((line) => journal.take(line));
}

/**
 * The state on disk, or in memory if it cannot be written.
 *
 * A missing or damaged state, or one from another machine, is treated as empty. The file is
 * authenticated with a key derived from the hardware ID and the product ID. Anyone who can run code
 * on the machine can compute that key, so what grants or refuses something is kept as it was signed.
 */

import { type Bytes, hex, hmacSha256, sha256, utf8 } from "./bytes.js";
import { parseJson, parseObject } from "./json.js";
import { reasonOf } from "./parts.js";
import type { Files } from "./platform.js";
import { EMPTY_STATE, fromJson, newer, shouldWrite, type State, toJson } from "./state.js";

const MAX_STATE_BYTES = 1 << 21;

export class StateStore {
  /** Why the state could not be written; `null` if it could. */
  failure: string | null = null;
  #key: Promise<Bytes> | null = null;
  #cached: State | null = null;
  #stored: State | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly files: Files,
    readonly path: string,
    private readonly identity: string,
  ) {}

  /** The current state; empty if there is no trusted one. */
  load(): Promise<State> {
    return this.#exclusively(() => this.#load());
  }

  /** The state as last loaded or stored by this process; does not read the disk. */
  get seen(): State {
    return this.#cached ?? EMPTY_STATE;
  }

  /** Applies a change to the current state and stores the result. */
  update(change: (state: State) => State): Promise<State> {
    return this.#exclusively(async () => {
      const after = change(await this.#load());
      this.#cached = after;
      if (this.#stored === null || shouldWrite(this.#stored, after)) await this.#write(after);
      return after;
    });
  }

  #exclusively<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(action, action);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #load(): Promise<State> {
    this.#stored = await this.#read();
    return this.#stored === null ? this.seen : newer(this.#stored, this.#cached);
  }

  async #read(): Promise<State | null> {
    try {
      const raw = await this.files.read(this.path, MAX_STATE_BYTES);
      const { state, mac } = (raw && parseObject(raw)) ?? {};
      if (typeof state !== "string" || mac !== (await this.#mac(state))) return null;
      const read = parseJson(state);
      return read && fromJson(read);
    } catch {
      return null;
    }
  }

  async #write(state: State): Promise<void> {
    const body = JSON.stringify(toJson(state));
    const envelope = JSON.stringify({ v: 4, state: body, mac: await this.#mac(body) });
    try {
      await this.files.write(this.path, utf8(envelope));
      this.failure = null;
      this.#stored = state;
    } catch (error) {
      this.failure = reasonOf(error);
    }
  }

  async #mac(body: string): Promise<string> {
    this.#key ??= sha256(utf8(`licet/state/v1\0${this.identity}`));
    return hex(await hmacSha256(await this.#key, utf8(body)));
  }
}

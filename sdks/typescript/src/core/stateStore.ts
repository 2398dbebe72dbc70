/**
 * The state on disk, or in memory if it cannot be written.
 *
 * A missing or damaged state, or one from another machine, is treated as empty. The file is
 * authenticated with a key derived from the hardware ID and the product ID. Anyone who can run code
 * on the machine can compute that key, so what grants or refuses something is kept as it was signed.
 *
 * What a state knows about the time is in a second file as well, which the states of all license keys
 * share, so that entering another key forgets no time that has passed. Of the two, the newer counts.
 */

import { type Bytes, hex, hmacSha256, sha256, utf8 } from "./bytes.js";
import { parseJson, parseObject } from "./json.js";
import { reasonOf } from "./parts.js";
import type { Files } from "./platform.js";
import {
  EMPTY_STATE,
  fromJson,
  newer,
  shouldWrite,
  type State,
  toJson,
  withClockOf,
} from "./state.js";

const MAX_STATE_BYTES = 1 << 21;

export class StateStore {
  /** Why the state could not be written; `null` if it could. */
  failure: string | null = null;
  #key: Promise<Bytes> | null = null;
  #cached: State | null = null;
  #stored: State | null = null;
  #shared: State | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly files: Files,
    readonly path: string,
    private readonly sharedPath: string,
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
      if (this.#stored === null || shouldWrite(this.#stored, after)) {
        if (await this.#write(this.path, after)) [this.#stored, this.failure] = [after, null];
      }
      const known = this.#shared ?? EMPTY_STATE;
      const shared = withClockOf(known, after);
      if (this.sharedPath !== this.path && shouldWrite(known, shared)) {
        await this.#write(this.sharedPath, shared);
      }
      return after;
    });
  }

  #exclusively<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(action, action);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #load(): Promise<State> {
    this.#stored = await this.#read(this.path);
    const state = this.#stored === null ? this.seen : newer(this.#stored, this.#cached);
    if (this.sharedPath === this.path) return state;
    this.#shared = await this.#read(this.sharedPath);
    return withClockOf(state, newer(state, this.#shared));
  }

  async #read(path: string): Promise<State | null> {
    try {
      const raw = await this.files.read(path, MAX_STATE_BYTES);
      const { state, mac } = (raw && parseObject(raw)) ?? {};
      if (typeof state !== "string" || mac !== (await this.#mac(state))) return null;
      const read = parseJson(state);
      return read && fromJson(read);
    } catch {
      return null;
    }
  }

  async #write(path: string, state: State): Promise<boolean> {
    const body = JSON.stringify(toJson(state));
    const envelope = JSON.stringify({ v: 4, state: body, mac: await this.#mac(body) });
    try {
      await this.files.write(path, utf8(envelope));
      return true;
    } catch (error) {
      this.failure = reasonOf(error);
      return false;
    }
  }

  async #mac(body: string): Promise<string> {
    this.#key ??= sha256(utf8(`licet/state/v1\0${this.identity}`));
    return hex(await hmacSha256(await this.#key, utf8(body)));
  }
}

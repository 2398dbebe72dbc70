/** The state that this machine keeps between runs, and its changes. An empty one grants nothing. */

import { isObject, type Json } from "./json.js";
import { DAY, MINUTE, type Reading, SECOND } from "./time.js";

const MAX_REFUSALS = 64;
const WRITE_INTERVAL = MINUTE;
export const CHECK_INTERVAL = DAY;
export const SILENCE = 15 * MINUTE;

/** A signed refusal by the server. A license.bin issued later overrides it. */
export interface Refusal {
  readonly status: string;
  readonly keyHash: string;
  readonly at: number;
}

export interface State {
  /** The latest time read from this machine's clock; only a newer anchor moves it back. */
  readonly highWater: number | null;
  /** The machine's UTC offset at that time. */
  readonly utcOffset: number | null;
  /** The latest time signed by the server that this machine has received. */
  readonly anchor: number | null;
  /** The token of the last verdict, if it confirmed the license. Not verified here. */
  readonly verdict: string | null;
  /** The hash of the license key that it confirmed. */
  readonly verdictKey: string | null;
  /** The refusals in effect, at most one for each license key. */
  readonly refusals: readonly Refusal[];
  /** When an Offline license has to be checked with the server again, and for which key. */
  readonly nextCheck: number | null;
  readonly checkKey: string | null;
  /** The key of the license.bin that a refusal has replaced, if the application named none. */
  readonly refusedKey: string | null;
  readonly protectsFile: boolean;
  /** A server that let its last caller wait, and until when a start does without it. */
  readonly silentServer: string | null;
  readonly silentUntil: number | null;
}

export const EMPTY_STATE: State = {
  highWater: null,
  utcOffset: null,
  anchor: null,
  verdict: null,
  verdictKey: null,
  refusals: [],
  nextCheck: null,
  checkKey: null,
  refusedKey: null,
  protectsFile: false,
  silentServer: null,
  silentUntil: null,
};

const TIMES = ["highWater", "utcOffset", "anchor", "nextCheck", "silentUntil"] as const;
const TEXTS = ["verdict", "verdictKey", "checkKey", "refusedKey", "silentServer"] as const;

export function refusalOf(state: State, keyHash: string | null): Refusal | null {
  return state.refusals.find((item) => item.keyHash === keyHash) ?? null;
}

/** Whether an Offline license has to be checked with the server. */
export function checkIsDue(state: State, keyHash: string, now: number): boolean {
  if (state.nextCheck === null || state.checkKey !== keyHash) return true;
  // A clock that was ahead once must not put the check off for years.
  const wait = state.nextCheck - now;
  return !(wait > 0 && wait <= CHECK_INTERVAL);
}

export function withClockReading(state: State, { now, utcOffset }: Reading): State {
  if (state.highWater !== null && now <= state.highWater) return state;
  return { ...state, highWater: now, utcOffset };
}

/** Records a signed time. A newer one resets the high-water mark, which forgives clock drift. */
export function withAnchor(state: State, signedAt: number, { now, utcOffset }: Reading): State {
  if (state.anchor !== null && signedAt <= state.anchor) return state;
  return { ...state, anchor: signedAt, highWater: Math.max(now, signedAt), utcOffset };
}

/** Records the verdict that confirmed the license. */
export function withVerdict(state: State, token: string, keyHash: string, at: number): State {
  return { ...withoutRefusal(state, keyHash, at), verdict: token, verdictKey: keyHash };
}

/** Records that the server refused the license; an earlier confirmation no longer counts. */
export function withRefusal(state: State, refusal: Refusal): State {
  const others = state.refusals.filter((item) => item.keyHash !== refusal.keyHash);
  const refused = { ...state, refusals: [...others, refusal].slice(-MAX_REFUSALS) };
  if (state.verdictKey !== refusal.keyHash) return refused;
  return { ...refused, verdict: null, verdictKey: null };
}

/** Records that the server signed, at this time, that the license is in order. */
export function withoutRefusal(state: State, keyHash: string, at: number): State {
  const refusal = refusalOf(state, keyHash);
  if (refusal === null || at < refusal.at) return state;
  return { ...state, refusals: state.refusals.filter((item) => item !== refusal) };
}

/** Records what is needed to fetch the license.bin again that a refusal replaces. */
export function withReplacedFile(state: State, key: string | null, sealed: boolean): State {
  return { ...state, refusedKey: key, protectsFile: sealed };
}

/** Records when an Offline license has to be checked with the server again. */
export function withNextCheck(state: State, keyHash: string, at: number): State {
  return { ...state, nextCheck: at, checkKey: keyHash };
}

/** Until when a server is not asked; `null` if it may be asked. */
export function silenceOf(state: State, server: string | null, now: number): number | null {
  const until = state.silentServer === server ? state.silentUntil : null;
  return until !== null && until > now && until - now <= SILENCE ? until : null;
}

/** Records that a server let its caller wait. */
export function withSilence(state: State, server: string | null, now: number): State {
  return { ...state, silentServer: server, silentUntil: now + SILENCE };
}

/** Whether to write: any change at once, but the passing of time only once a minute. */
export function shouldWrite(stored: State, after: State): boolean {
  const passed = Math.abs((after.highWater ?? 0) - (stored.highWater ?? 0));
  if (passed >= WRITE_INTERVAL) return true;
  const unchanged = { ...after, highWater: stored.highWater, utcOffset: stored.utcOffset };
  return JSON.stringify(unchanged) !== JSON.stringify(stored);
}

/** The newer of the cached state and the stored one, which another process may have written. */
export function newer(stored: State, cached: State | null): State {
  if (cached === null) return stored;
  const [own, other] = [cached.anchor ?? 0, stored.anchor ?? 0];
  if (own !== other) return own > other ? cached : stored;
  return (cached.highWater ?? 0) > (stored.highWater ?? 0) ? cached : stored;
}

/** The state as stored: times are Unix times. */
export function toJson(state: State): Json {
  const refusals = state.refusals.map((item) => ({ ...item, at: item.at / SECOND }));
  const times = TIMES.map((name) => [name, seconds(state[name])] as const);
  return { ...state, ...Object.fromEntries(times), refusals };
}

/** The state that was stored; what is not of its type is treated as missing. */
export function fromJson(raw: Json): State {
  const refusals = Array.isArray(raw["refusals"]) ? raw["refusals"].filter(isObject) : [];
  return {
    ...EMPTY_STATE,
    ...Object.fromEntries(TIMES.map((name) => [name, milliseconds(raw[name])] as const)),
    ...Object.fromEntries(TEXTS.map((name) => [name, text(raw[name])] as const)),
    refusals: refusals.map((item) => ({
      status: text(item["status"]) ?? "",
      keyHash: text(item["keyHash"]) ?? "",
      at: milliseconds(item["at"]) ?? 0,
    })),
    protectsFile: raw["protectsFile"] === true,
  };
}

function seconds(moment: number | null): number | null {
  return moment === null ? null : moment / SECOND;
}

function milliseconds(value: unknown): number | null {
  return typeof value === "number" ? value * SECOND : null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

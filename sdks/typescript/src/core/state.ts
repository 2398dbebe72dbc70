/** The state that this machine keeps between runs, and its changes. An empty one grants nothing. */

import { isObject, type Json } from "./json.js";
import { DAY, fromEpoch, MINUTE, type Reading, SECOND } from "./time.js";

const MAX_REFUSALS = 64;
const WRITE_INTERVAL = MINUTE;
const MAX_UTC_OFFSET = DAY;
export const CHECK_INTERVAL = DAY;
export const MAX_CLOCK_OFFSET = DAY;
export const SILENCE = 15 * MINUTE;

/** The last refusal of a license key, which stays in effect without a connection. */
export interface Refusal {
  readonly keyHash: string;
  /** The signed verdict. Not verified here. */
  readonly token: string;
}

/**
 * A verdict that the server signed for this machine's own fresh nonce. It cannot be a replay, so it
 * is newer than everything stored, whatever time is in it.
 */
export interface Answer {
  readonly token: string;
  readonly keyHash: string;
  /** The time in it, by the server's clock. */
  readonly at: number;
  /** This machine's clock when it arrived. */
  readonly reading: Reading;
  /** `passes`: the next answer may be another one although the license has not changed. */
  readonly effect: "confirms" | "refuses" | "passes";
  /** Whether the two clocks are equal within the leeway. */
  readonly agrees: boolean;
}

/** Whether one of the two clocks must be wrong, and the server's may be the one. */
export function isAhead({ at, reading }: Answer): boolean {
  return at - reading.now > MAX_CLOCK_OFFSET;
}

export interface State {
  /** The latest time read from this machine's clock; only a newer signed time moves it back. */
  readonly highWater: number | null;
  /** The machine's UTC offset at that time. */
  readonly utcOffset: number | null;
  /** The newest time signed by the server that this machine has received. */
  readonly anchor: number | null;
  /** How many answers have been recorded. Of two states, the one with more is newer. */
  readonly answers: number;
  /** The token of the last verdict, if it confirmed the license. Not verified here. */
  readonly verdict: string | null;
  /** The hash of the license key that it confirmed. */
  readonly verdictKey: string | null;
  /** The last refusals, at most one for each license key. Not verified here. */
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
  /** How far the server's clock was ahead at the last verdict on a test license. */
  readonly serverAhead: number;
}

export const EMPTY_STATE: State = {
  highWater: null,
  utcOffset: null,
  anchor: null,
  answers: 0,
  verdict: null,
  verdictKey: null,
  refusals: [],
  nextCheck: null,
  checkKey: null,
  refusedKey: null,
  protectsFile: false,
  silentServer: null,
  silentUntil: null,
  serverAhead: 0,
};

const TIMES = ["highWater", "anchor", "nextCheck", "silentUntil"] as const;
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

/**
 * Records the signed time of a license.bin, which may be an old one.
 *
 * A newer time resets the high-water mark, which forgives clock drift. One that is more than a day
 * ahead of this machine's clock is not believed: the clock that signed it may have been wrong.
 */
export function withAnchor(state: State, signedAt: number, { now, utcOffset }: Reading): State {
  if (signedAt - now > MAX_CLOCK_OFFSET) return state;
  if (state.anchor !== null && signedAt <= state.anchor) return state;
  return { ...state, anchor: signedAt, highWater: Math.max(now, signedAt), utcOffset };
}

/**
 * Records an answer to this machine's own request.
 *
 * Where server and machine agree about the time, they correct the stored one, also backwards. The
 * license is in order from now on, or refused. Only an answer more than a day ahead confirms nothing,
 * and refuses without replacing an earlier refusal or the last confirmation.
 */
export function withAnswer(old: State, answer: Answer): State {
  const state = { ...withTimeOf(old, answer), answers: old.answers + 1 };
  const { token, keyHash, effect } = answer;
  if (effect === "passes") return state;
  if (effect === "confirms") {
    if (isAhead(answer)) return state;
    return { ...withoutRefusal(state, keyHash), verdict: token, verdictKey: keyHash };
  }
  if (isAhead(answer)) {
    return refusalOf(state, keyHash) === null ? withRefusal(state, { keyHash, token }) : state;
  }
  const refused = withRefusal(state, { keyHash, token });
  return state.verdictKey === keyHash ? { ...refused, verdict: null, verdictKey: null } : refused;
}

function withTimeOf(state: State, answer: Answer): State {
  const { at, reading, agrees } = answer;
  const { now, utcOffset } = reading;
  if (agrees) return { ...state, anchor: at, highWater: Math.max(now, at), utcOffset };
  // Do not record a clock that the server contradicts.
  return isAhead(answer) ? state : withAnchor(state, at, { now: at, utcOffset });
}

function withRefusal(state: State, refusal: Refusal): State {
  const { refusals } = withoutRefusal(state, refusal.keyHash);
  return { ...state, refusals: [...refusals, refusal].slice(-MAX_REFUSALS) };
}

function withoutRefusal(state: State, keyHash: string): State {
  return { ...state, refusals: state.refusals.filter((item) => item.keyHash !== keyHash) };
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

/** The state with what another one knows about the time. */
export function withClockOf(state: State, other: State): State {
  const { highWater, utcOffset, anchor, answers } = other;
  return { ...state, highWater, utcOffset, anchor, answers };
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
  const [own, other] = [age(cached), age(stored)];
  const differs = own.findIndex((part, index) => part !== other[index]);
  return differs >= 0 && (own[differs] ?? 0) > (other[differs] ?? 0) ? cached : stored;
}

function age({ answers, anchor, highWater }: State): readonly number[] {
  return [answers, anchor ?? 0, highWater ?? 0];
}

/** The state as stored: times are Unix times. */
export function toJson(state: State): Json {
  const times = TIMES.map((name) => [name, seconds(state[name])] as const);
  const durations = {
    utcOffset: seconds(state.utcOffset),
    serverAhead: seconds(state.serverAhead),
  };
  return { ...state, ...Object.fromEntries(times), ...durations };
}

/** The state that was stored; what is not of its type is treated as missing. */
export function fromJson(raw: Json): State {
  const refusals = Array.isArray(raw["refusals"]) ? raw["refusals"].filter(isObject) : [];
  const { answers, utcOffset, serverAhead } = raw;
  return {
    ...EMPTY_STATE,
    ...Object.fromEntries(TIMES.map((name) => [name, fromEpoch(raw[name])] as const)),
    ...Object.fromEntries(TEXTS.map((name) => [name, text(raw[name])] as const)),
    utcOffset: duration(utcOffset, MAX_UTC_OFFSET),
    serverAhead: duration(serverAhead, Infinity) ?? 0,
    answers: Number.isSafeInteger(answers) ? Math.max(answers as number, 0) : 0,
    refusals: refusals.flatMap(({ keyHash, token }) =>
      typeof keyHash === "string" && typeof token === "string" ? [{ keyHash, token }] : [],
    ),
    protectsFile: raw["protectsFile"] === true,
  };
}

function duration(value: unknown, atMost: number): number | null {
  const found = typeof value === "number" ? value * SECOND : NaN;
  return Math.abs(found) <= atMost ? found : null;
}

function seconds(moment: number | null): number | null {
  return moment === null ? null : moment / SECOND;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

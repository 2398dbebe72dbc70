/**
 * The sentences for users as data, by code, so that applications can translate them.
 *
 *     import { sentence } from "licet/sentences";
 *
 *     showToUser(sentence(error, "de"));
 *
 * A sentence names its values in braces: `{seatsUsed}` and `{seatsTotal}`, `{cost}` and `{balance}`,
 * `{retryAfterSeconds}`, `{group}` of a code, `{endsAt}` of the term, `{graceEndsAt}`, `{refreshBy}`, `{status}` and
 * `{errorCode}` of the server. A part in brackets is left out if one of its values is not known, so
 * each value should stand in one: `"Renew it[ by {refreshBy}]."`
 */

import type { LicenseResult } from "../core/result.js";
import { ENGLISH } from "./english.js";
import { fill } from "./fill.js";
import { GERMAN } from "./german.js";
import { word } from "./words.js";

/** Sentences by code. */
export type Sentences = Readonly<Record<string, string>>;
/** A decimal number may be a text, such as `"2.5"`. */
export type SentenceValue = string | number | Date;

export interface SentenceOptions {
  /** Sentences in this language by code, which win over those of the package. */
  readonly translations?: Sentences;
  /**
   * Values by name, which win over those of the error or the result. Numbers and times are written as in
   * German or else as in English, and any other text as it is.
   */
  readonly values?: Readonly<Record<string, SentenceValue>>;
}

/** The sentences of each language, by code. */
export const SENTENCES: Readonly<Record<string, Sentences>> = { en: ENGLISH, de: GERMAN };
/** The languages that this package has. */
export const LANGUAGES: readonly string[] = Object.keys(SENTENCES);

// Errors that the code of the server tells more about.
const BY_SERVER_CODE = [
  "LeaseRefused",
  "LicenseRefused",
  "RequestRefused",
  "SeatsExhausted",
  "SessionLost",
];

type Values = Readonly<Record<string, SentenceValue | null | undefined>>;

interface Subject {
  readonly code: string;
  readonly values: Values;
  readonly message?: string;
  readonly cause?: Error | null;
}

/** What an error of the package may have; the classes of its two entries differ. */
interface Failure extends Error {
  readonly code?: string;
  readonly result?: LicenseResult | null;
  readonly errorCode?: string | null;
  readonly retryAfter?: number | null;
  readonly seatsUsed?: number | null;
  readonly seatsTotal?: number | null;
  readonly group?: number | null;
  readonly cost?: string | null;
  readonly balance?: string | null;
}

/**
 * One or two sentences for the user, in this language. Throws nothing.
 *
 * An error or a result without a sentence, because its code is not known or the language is not one of
 * `LANGUAGES`, gives its `message`, which is English; a code alone gives its English sentence.
 *
 * @param about An error, a result, or a code: a status, the `code` of an error, or the `errorCode` of the
 *   server.
 * @param language A language such as `de`; `de-AT` counts as `de`.
 */
export function sentence(
  about: string | Error | LicenseResult,
  language = "en",
  options: SentenceOptions = {},
): string {
  const [tag = ""] = language.toLowerCase().split(/[-_]/);
  const { translations, values } = options;
  const sentences = new Map(Object.entries({ ...own(SENTENCES, tag), ...translations }));
  const subject = subjectOf(about, sentences);
  const template = sentences.get(subject.code);
  if (template === undefined && subject.message !== undefined) return subject.message;
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries({ ...subject.values, ...values } as Values)) {
    if (value !== null && value !== undefined) texts.set(name, written(value, tag));
  }
  const text = fill(template ?? own(ENGLISH, subject.code) ?? "", texts);
  const { cause } = subject;
  return cause ? `${sentence(cause, tag, translations && { translations })} ${text}` : text;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function subjectOf(
  about: string | Error | LicenseResult,
  sentences: ReadonlyMap<string, string>,
): Subject {
  if (about instanceof Error) return ofError(about);
  if (typeof about !== "string") return ofResult(about);
  if (sentences.has(about) || Object.hasOwn(ENGLISH, about)) return { code: about, values: {} };
  return { code: "RequestRefused", values: { errorCode: word(about) } };
}

function ofResult(result: LicenseResult): Subject {
  const { status, message, serverStatus } = result;
  return {
    code: status,
    message,
    values: {
      endsAt: result.license?.expirationDate,
      graceEndsAt: result.graceEndsAt,
      refreshBy: result.refreshBy,
      status: serverStatus === null ? null : word(serverStatus),
    },
    // What prevented the check says what to do about it.
    cause: status === "OnlineRequired" ? result.cause : null,
  };
}

function ofError(error: Failure): Subject {
  if (error.result) return ofResult(error.result);
  const { code = "", errorCode, retryAfter } = error;
  return {
    code: errorCode && BY_SERVER_CODE.includes(code) ? errorCode : code,
    message: error.message,
    values: {
      errorCode: errorCode ? word(errorCode) : null,
      retryAfterSeconds: retryAfter ? Math.ceil(retryAfter) : null,
      seatsUsed: error.seatsUsed,
      seatsTotal: error.seatsTotal,
      group: error.group,
      cost: error.cost,
      balance: error.balance,
    },
  };
}

function written(value: SentenceValue, language: string): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "?";
    const [day = "", time = ""] = value.toISOString().split("T");
    const minutes = `${time.slice(0, 5)} UTC`;
    return language === "de"
      ? `${day.split("-").reverse().join(".")} um ${minutes}`
      : `${day} ${minutes}`;
  }
  const text = String(value);
  return language === "de" && /^-?\d+\.\d+$/.test(text) ? text.replace(".", ",") : text;
}

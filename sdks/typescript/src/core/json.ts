/** JSON objects. */

import { type Bytes, fromUtf8 } from "./bytes.js";

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON object in these bytes; `null` if there is none. */
export function parseObject(raw: Bytes): Json | null {
  return parseJson(fromUtf8(raw) ?? "");
}

/** The JSON object in a text; `null` if there is none. */
export function parseJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Successful responses. */

import type { Bytes } from "./bytes.js";
import { type Json, parseObject } from "./json.js";
import type { TransportReply } from "./transport.js";

/** A successful response: its JSON object, and its bytes for exact amounts. */
export interface Answer {
  readonly body: Json;
  readonly raw: Bytes;
  readonly requestId: string | null;
}

/**
 * The answer in a response; `null` if it is no success. A successful response contains a JSON
 * object, except for 204, which has no body.
 */
export function readReply(reply: TransportReply, success: readonly number[]): Answer | null {
  const body = reply.status === 204 ? {} : parseObject(reply.body);
  if (!success.includes(reply.status) || body === null) return null;
  return { body, raw: reply.body, requestId: requestIdOf(reply) };
}

/** The request ID of a response, if it is well-formed. */
export function requestIdOf(reply: TransportReply): string | null {
  const value = reply.headers["x-request-id"] ?? "";
  return /^[\w.:-]{1,128}$/.test(value) ? value : null;
}

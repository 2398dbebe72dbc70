/** Successful responses. */

import type { Bytes } from "./bytes.js";
import { UnexpectedReplyError } from "./errors.js";
import { type Json, parseObject } from "./json.js";
import type { TransportReply } from "./transport.js";

export const CHECK_ADDRESS = "Check that ServerBaseEndpoint is the API's address.";

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

/** The error for a successful response that is not what a license server would say. */
export function unexpectedReply(what: string, requestId: string | null): UnexpectedReplyError {
  return new UnexpectedReplyError(
    `The response about ${what} does not come from a license server, or not to this request.`,
    { httpStatus: 200, requestId, hint: CHECK_ADDRESS },
  );
}

/** A transport over a `fetch` function: the browser's, or Electron's `net.fetch`. */

import { type Bytes, utf8 } from "./bytes.js";
import {
  CaptivePortalError,
  ConnectionLostError,
  NetworkError,
  UnexpectedReplyError,
} from "./errors.js";
import { reasonOf } from "./parts.js";
import { CHECK_ADDRESS } from "./reply.js";
import { NETWORK } from "./startSentences.js";
import { SECOND } from "./time.js";
import {
  MAX_REPLY_BYTES,
  noAnswerIn,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from "./transport.js";

/** What is needed of a `fetch` function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Creates a transport over a `fetch` function. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    async send(request) {
      const ended = new AbortController();
      const timer = setTimeout(() => ended.abort(), request.timeoutSeconds * SECOND);
      try {
        return await exchange(fetch, request, ended.signal);
      } catch (error) {
        throw asNetworkError(error, request, ended.signal.aborted);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => undefined,
  };
}

async function exchange(
  fetch: Fetch,
  request: TransportRequest,
  signal: AbortSignal,
): Promise<TransportReply> {
  const { method, url, headers, body } = request;
  const response = await fetch(url, {
    method,
    headers: byteStrings(headers),
    body,
    signal,
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
  });
  if (response.type === "opaqueredirect") {
    throw new CaptivePortalError(
      "A redirect came instead of the license server's response. Sign in to the network.",
      { hint: CHECK_ADDRESS },
    );
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await readBody(response),
  };
}

/** Headers with each byte of their UTF-8 as a character, which is what HTTP functions take. */
export function byteStrings(headers: Readonly<Record<string, string>>): Record<string, string> {
  const spelled = (value: string) => Array.from(utf8(value), (byte) => String.fromCharCode(byte));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, spelled(value).join("")]),
  );
}

async function readBody(response: Response): Promise<Bytes> {
  const parts: Bytes[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    size += part.value.length;
    if (size > MAX_REPLY_BYTES) throw tooLarge(response.status);
    parts.push(new Uint8Array(part.value));
  }
  return join(parts, size);
}

export function join(parts: readonly Bytes[], size: number): Bytes {
  const whole = new Uint8Array(size);
  let position = 0;
  for (const part of parts) {
    whole.set(part, position);
    position += part.length;
  }
  return whole;
}

export function tooLarge(httpStatus: number): UnexpectedReplyError {
  const message = "The response is too large to come from a license server.";
  return new UnexpectedReplyError(message, { httpStatus, hint: CHECK_ADDRESS });
}

function asNetworkError(error: unknown, { url, timeoutSeconds }: TransportRequest, late: boolean) {
  if (error instanceof NetworkError || error instanceof UnexpectedReplyError) return error;
  if (late) return noAnswerIn(timeoutSeconds);
  const hint = `${new URL(url).hostname}: ${reasonOf(error)}.`;
  return new ConnectionLostError(NETWORK, { cause: error, hint });
}

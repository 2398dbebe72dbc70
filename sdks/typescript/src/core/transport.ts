/** The interface between the client and the network. */

import type { Bytes } from "./bytes.js";
import { ServerTimeoutError } from "./errors.js";

export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Seconds within which the whole response must have arrived. */
  readonly timeoutSeconds: number;
}

export interface TransportReply {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
}

/** Sends requests. */
export interface Transport {
  /**
   * The response to one request, without following redirects.
   *
   * @throws NetworkError The server did not respond.
   */
  send(request: TransportRequest): Promise<TransportReply>;
  /** Closes the connections. */
  close(): void;
}

export const MAX_REPLY_BYTES = 4 << 20;

/** The error for a server that was given this time to respond. */
export function noAnswerIn(seconds: number, cause?: unknown): ServerTimeoutError {
  const whole = Math.max(1, Math.round(seconds));
  const span = whole === 1 ? "a second" : `${whole} seconds`;
  return new ServerTimeoutError(
    `The license server did not respond within ${span}. Check your internet connection, and try ` +
      "again.",
    { cause, hint: "The server is overloaded or far away, or a firewall drops the traffic." },
  );
}

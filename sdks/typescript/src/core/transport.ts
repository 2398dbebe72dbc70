/** The interface between the client and the network. */

import type { Bytes } from "./bytes.js";

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

/** The transport of Node, with limits on the time and size of a response. */

import type { ClientRequest, IncomingMessage, request as Request, RequestOptions } from "node:http";
import { once } from "node:events";
import type { Socket } from "node:net";

import type { Bytes } from "../core/bytes.js";
import type { Config } from "../core/config.js";
import { ProxyError } from "../core/partErrors.js";
import { byteStrings, join, timedOut, tooLarge } from "../core/fetch.js";
import { SECOND } from "../core/time.js";
import {
  MAX_REPLY_BYTES,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from "../core/transport.js";
import { authorities } from "./authorities.js";
import { networkError } from "./networkErrors.js";
import { proxyFor, proxyHeaders } from "./proxies.js";

type Abort = (cancel: (error: Error) => void) => void;

/** Nothing of the network is loaded before the first request. */
export class HttpTransport implements Transport {
  #modules: ReturnType<typeof load> | null = null;
  #authorities: Promise<string[] | undefined> | null = null;

  constructor(private readonly config: Config) {}

  async send(request: TransportRequest): Promise<TransportReply> {
    const url = new URL(request.url);
    const proxy = this.config.trustEnvironment ? proxyFor(url, process.env) : null;
    let cancel: (error: Error) => void = () => undefined;
    let late = false;
    let timer: NodeJS.Timeout | undefined;
    // Resolving a name cannot be canceled, so the deadline does not wait for it.
    const deadline = new Promise<never>((_, fail) => {
      timer = setTimeout(() => {
        late = true;
        fail(timedOut(request.url, request.timeoutSeconds));
        cancel(new Error("canceled"));
      }, request.timeoutSeconds * SECOND);
    });
    const whole = this.#exchange(request, url, proxy, (next) => {
      cancel = next;
      if (late) next(new Error("canceled"));
    });
    try {
      return await Promise.race([whole, deadline]);
    } catch (error) {
      throw networkError(error, url, proxy);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    void this.#modules?.then(({ httpAgent, httpsAgent }) => {
      httpAgent.destroy();
      httpsAgent.destroy();
    });
  }

  async #exchange(
    request: TransportRequest,
    url: URL,
    proxy: URL | null,
    onCancel: Abort,
  ): Promise<TransportReply> {
    const modules = await (this.#modules ??= load());
    const { http, https, httpAgent, httpsAgent, tls } = modules;
    const secure = url.protocol === "https:";
    const ca = secure ? await (this.#authorities ??= authorities(this.config)) : undefined;
    const headers = { ...byteStrings(request.headers), ...lengthOf(request.body) };
    const options: RequestOptions = { method: request.method, headers };
    if (!secure) {
      const agent = httpAgent;
      if (proxy === null)
        return transfer(http.request(url, { ...options, agent }), request, onCancel);
      const through = { ...options, path: url.href, agent };
      through.headers = { ...headers, Host: url.host, ...proxyHeaders(proxy) };
      return transfer(http.request(proxy, through), request, onCancel);
    }
    if (proxy === null) {
      const direct = { ...options, agent: httpsAgent, ...(ca ? { ca } : {}) };
      return transfer(https.request(url, direct), request, onCancel);
    }
    const socket = await tunnel(proxy.protocol === "https:" ? https : http, proxy, url, onCancel);
    const servername = url.hostname;
    const createConnection = () => tls.connect({ socket, servername, ...(ca ? { ca } : {}) });
    return transfer(
      https.request(url, { ...options, agent: false, createConnection }),
      request,
      onCancel,
    );
  }
}

async function load() {
  const [http, https, tls] = await Promise.all([
    import("node:http"),
    import("node:https"),
    import("node:tls"),
  ]);
  const [httpAgent, httpsAgent] = [
    new http.Agent({ keepAlive: true }),
    new https.Agent({ keepAlive: true }),
  ];
  return { http, https, tls, httpAgent, httpsAgent };
}

function lengthOf(body: string | null): Record<string, string> {
  return body === null ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
}

async function transfer(
  sent: ClientRequest,
  { body }: TransportRequest,
  onCancel: Abort,
): Promise<TransportReply> {
  onCancel((error) => sent.destroy(error));
  const responded = once(sent, "response");
  // What happens after the response has begun is an error of the response.
  sent.on("error", () => undefined);
  sent.end(body ?? undefined);
  const [response] = (await responded) as [IncomingMessage];
  try {
    return await readReply(response);
  } catch (error) {
    sent.destroy();
    throw error;
  }
}

async function readReply(response: IncomingMessage): Promise<TransportReply> {
  const parts: Bytes[] = [];
  let size = 0;
  const status = response.statusCode ?? 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_REPLY_BYTES) throw tooLarge(status);
    parts.push(new Uint8Array(part));
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
  return { status, headers, body: join(parts, size) };
}

/** A connection to the server through a proxy. */
function tunnel(
  { request }: { request: typeof Request },
  proxy: URL,
  url: URL,
  onCancel: Abort,
): Promise<Socket> {
  const address = `${url.hostname}:${url.port || "443"}`;
  const headers = { Host: address, ...proxyHeaders(proxy) };
  return new Promise((resolve, reject) => {
    const sent = request(proxy, { method: "CONNECT", path: address, headers, agent: false });
    onCancel((error) => sent.destroy(error));
    sent.on("error", reject);
    sent.on("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      const message =
        `The proxy ${proxy.host} refused to connect to ${url.host} (HTTP ${statusCode}). Check the ` +
        "proxy settings (HTTPS_PROXY, NO_PROXY), the proxy's credentials, and that it allows this " +
        "address.";
      reject(new ProxyError(message));
    });
    sent.end();
  });
}

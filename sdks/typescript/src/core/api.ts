/** One API call: headers, retries and typed errors, within one deadline. */

import { jitter, randomHex } from "./bytes.js";
import type { Config } from "./config.js";
import type { LicenseCore } from "./core.js";
import { ConfigurationError, LicetError, NetworkError, ServerTimeoutError } from "./errors.js";
import { parseObject } from "./json.js";
import { faults, reasonOf } from "./parts.js";
import { type Answer, readReply } from "./reply.js";
import { DEFAULT_RETRIES, pauseBefore, type RetryPolicy } from "./retries.js";
import { monotonic, sleep } from "./time.js";
import { noAnswerIn, type TransportRequest } from "./transport.js";

export interface Call {
  readonly method?: "POST" | "GET" | "DELETE";
  /** `null` ones are omitted. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The HTTP statuses of a successful response. */
  readonly success?: readonly number[];
  readonly retries?: RetryPolicy;
  /** Seconds for the whole call, if less than the client's. */
  readonly timeoutSeconds?: number;
  /** Notes since when the call has been waiting for an answer; pauses do not count. */
  readonly wait?: { since: number | null };
}

/**
 * Calls the API. `null` fields are omitted.
 *
 * Silence costs no more than the timeout of the client: while other attempts are left, an attempt
 * may take half of the time that is left.
 *
 * @throws ConfigurationError No server is configured.
 * @throws NetworkError The server did not respond.
 * @throws ServerFaultError The server responded with an error.
 */
export async function call(
  core: LicenseCore,
  path: string,
  fields: Readonly<Record<string, unknown>>,
  options: Call = {},
): Promise<Answer> {
  const { config, transport } = core;
  const { success = [200], retries = DEFAULT_RETRIES } = options;
  const seconds = Math.min(
    config.timeoutSeconds * retries.budget,
    options.timeoutSeconds ?? Infinity,
  );
  const started = monotonic();
  const deadline = started + seconds;
  const request = buildRequest(config, core.platform.agent, path, fields, options);
  let isAgain = false;
  for (let attempt = 1; ; attempt += 1) {
    const signed = await core.proofs.sign(request);
    const left = deadline - monotonic();
    const share = attempt < retries.attempts ? left / 2 : left;
    const timeoutSeconds = Math.max(0.1, Math.min(share, config.timeoutSeconds));
    let failure: LicetError;
    if (options.wait) options.wait.since = monotonic();
    try {
      const reply = await transport.send({ ...signed, timeoutSeconds });
      const answer = readReply(reply, success);
      const body = answer?.body ?? parseObject(reply.body);
      if (!isAgain && core.proofs.signsAgain(signed, reply, body)) {
        isAgain = true;
        continue;
      }
      if (answer !== null) {
        return {
          ...answer,
          requestId: answer.requestId ?? request.headers["X-Request-Id"] ?? null,
        };
      }
      const { replyError } = await faults();
      failure = replyError(reply, request.url, () => core.read().now);
    } catch (error) {
      failure = asLicetError(error);
    }
    if (options.wait) options.wait.since = null;
    const pause = pauseBefore(retries, failure, attempt, deadline - monotonic(), jitter());
    if (pause === null && failure instanceof ServerTimeoutError) {
      throw noAnswerIn(monotonic() - started, failure);
    }
    if (pause === null) throw failure;
    await sleep(pause);
  }
}

/** Any exception of a transport as a `LicetError`. */
export function asLicetError(error: unknown): LicetError {
  if (error instanceof LicetError) return error;
  return new NetworkError(`The request could not be sent: ${reasonOf(error)}`, { cause: error });
}

/** The request of a call, without its timeout. */
export function buildRequest(
  config: Config,
  agent: string | null,
  path: string,
  fields: Readonly<Record<string, unknown>>,
  { method = "POST", headers = {} }: Call = {},
): Omit<TransportRequest, "timeoutSeconds"> {
  if (config.endpoint === null || config.apiKey === null) {
    const [missing, option] =
      config.endpoint === null
        ? ["ServerBaseEndpoint", "serverBaseEndpoint"]
        : ["ProductApiKey", "apiKey"];
    throw new ConfigurationError(
      `${missing} is missing, so the license server cannot be contacted. Pass ${option} or set ` +
        `${missing} in the settings file.`,
    );
  }
  const usual = present({
    "X-API-KEY": config.apiKey,
    "X-Request-Id": randomHex(16),
    Accept: "application/json",
    "User-Agent": agent,
    ...headers,
  }) as Record<string, string>;
  const url = config.endpoint + path;
  if (method === "GET") {
    const query = new URLSearchParams(present(fields) as Record<string, string>);
    return { method, url: `${url}?${query}`, headers: usual, body: null };
  }
  const json = { ...usual, "Content-Type": "application/json" };
  return { method, url, headers: json, body: JSON.stringify(present(fields)) };
}

function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

/** Typed errors for failed calls, so that a network problem never looks like an invalid license. */

import { amountsOf } from "./amounts.js";
import { fromUtf8 } from "./bytes.js";
import { errorForCode } from "./errorCodes.js";
import { CaptivePortalError, type LicetError, UnexpectedReplyError } from "./errors.js";
import {
  ApiKeyRefusedError,
  ProxyError,
  RateLimitedError,
  ServerUnavailableError,
} from "./partErrors.js";
import { parseObject } from "./json.js";
import { requestIdOf } from "./reply.js";
import { isPrintable } from "./status.js";
import type { TransportReply } from "./transport.js";

/** The typed error for a response that is no success. */
export function replyError(reply: TransportReply, url: string, now: () => number): LicetError {
  const { host } = new URL(url);
  return intermediaryError(reply, host) ?? serverError(reply, host, now);
}

/** The error for a response that comes from something between the client and the server. */
function intermediaryError(reply: TransportReply, host: string): LicetError | null {
  if (reply.status === 407) {
    return new ProxyError(
      "The proxy requires authentication (407). Add the user name and password to HTTPS_PROXY, " +
        `or exempt ${host} from authentication.`,
    );
  }
  const redirect = reply.status >= 300 && reply.status < 400;
  const start = fromUtf8(reply.body.slice(0, 200).map((byte) => byte & 0x7f)) ?? "";
  const html =
    (reply.headers["content-type"] ?? "").includes("html") ||
    /^\s*<(!doctype html|html)/i.test(start);
  if (reply.status !== 511 && !redirect && !(html && reply.status < 500)) return null;
  return new CaptivePortalError(
    `${redirect ? "A redirect" : "A web page"} came instead of a response from ${host} ` +
      `(HTTP ${reply.status}). Hotel and guest networks do this until you sign in: open a browser ` +
      "and sign in. Otherwise check that ServerBaseEndpoint is the API's address, with https if " +
      "required, and that no web filter blocks it.",
  );
}

function serverError(reply: TransportReply, host: string, now: () => number): LicetError {
  const problem = parseObject(reply.body) ?? {};
  const { errorCode: code, detail } = problem;
  const details = {
    httpStatus: reply.status,
    errorCode: typeof code === "string" ? code : null,
    requestId: requestIdOf(reply),
    retryAfter: retryAfter(reply, now),
  };
  const told =
    typeof detail === "string" && isPrintable(detail)
      ? ` The server says: ${detail.slice(0, 300)}`
      : "";
  if (reply.status === 429) {
    return new RateLimitedError(
      `The license server ${host} received too many requests. Wait and try again.${told}`,
      details,
    );
  }
  if (reply.status >= 500) {
    return new ServerUnavailableError(
      `The license server ${host} failed (HTTP ${reply.status}). Try again later.${told}`,
      details,
    );
  }
  if (reply.status === 401 && code !== "InvalidCredentials") {
    return new ApiKeyRefusedError(
      "The license server does not accept the product key. Check ProductApiKey; it may have been " +
        `rotated. The license was not checked.${told}`,
      details,
    );
  }
  if (typeof code === "string") {
    return errorForCode(code, problem, amountsOf(reply.body), told, details);
  }
  return new UnexpectedReplyError(
    `The response of ${host} (HTTP ${reply.status}) does not come from a license server. ` +
      "Check that ServerBaseEndpoint is the API's address.",
    details,
  );
}

/** The seconds in Retry-After, which may contain seconds or a date. */
function retryAfter(reply: TransportReply, now: () => number): number | null {
  const text = (reply.headers["retry-after"] ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const moment = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : Math.max(0, (moment - now()) / 1000);
}

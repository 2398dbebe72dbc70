/** Typed errors for failed calls, so that a network problem never looks like an invalid license. */

import { ENGLISH } from "../sentences/english.js";
import { english } from "../sentences/filledEnglish.js";
import { isPrintable } from "../sentences/words.js";
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
import { CHECK_ADDRESS, requestIdOf } from "./reply.js";
import type { TransportReply } from "./transport.js";

// The only responses with 401 that are not about the product key.
const REFUSALS: readonly unknown[] = ["InvalidCredentials", "EnrollmentKeyInvalid"];

/** The typed error for a response that is no success. */
export function replyError(reply: TransportReply, url: string, now: () => number): LicetError {
  const { host } = new URL(url);
  return intermediaryError(reply, host) ?? serverError(reply, host, now);
}

/** The error for a response that comes from something between the client and the server. */
function intermediaryError(reply: TransportReply, host: string): LicetError | null {
  if (reply.status === 407) {
    return new ProxyError(
      "The proxy of this computer wants a user name and a password. Ask your administrator.",
      {
        hint:
          "The proxy requires authentication (407). Add the user name and password to HTTPS_PROXY, " +
          `or exempt ${host} from authentication.`,
      },
    );
  }
  const redirect = reply.status >= 300 && reply.status < 400;
  const start = fromUtf8(reply.body.slice(0, 200).map((byte) => byte & 0x7f)) ?? "";
  const html =
    (reply.headers["content-type"] ?? "").includes("html") ||
    /^\s*<(!doctype html|html)/i.test(start);
  if (reply.status !== 511 && !redirect && !(html && reply.status < 500)) return null;
  return new CaptivePortalError(ENGLISH.CaptivePortal, {
    hint:
      `${host} responded with ${redirect ? "a redirect" : "a web page"} (HTTP ${reply.status}). ` +
      `${CHECK_ADDRESS} It needs https if the server requires it, and no web filter may block it.`,
  });
}

function serverError(reply: TransportReply, host: string, now: () => number): LicetError {
  const problem = parseObject(reply.body) ?? {};
  const { errorCode: code, detail } = problem;
  const said = typeof detail === "string" && isPrintable(detail) ? detail.slice(0, 300) : "";
  const response = `${host} responded with HTTP ${reply.status}${said ? `: ${said}` : "."}`;
  const details = {
    httpStatus: reply.status,
    errorCode: typeof code === "string" ? code : null,
    requestId: requestIdOf(reply),
    retryAfter: retryAfter(reply, now),
    hint: response,
  };
  if (reply.status === 429) {
    const wait = details.retryAfter;
    const message = english("RateLimited", { retryAfterSeconds: wait ? Math.ceil(wait) : null });
    return new RateLimitedError(message, details);
  }
  if (reply.status >= 500) return new ServerUnavailableError(ENGLISH.ServerUnavailable, details);
  if (reply.status === 401 && !REFUSALS.includes(code)) {
    const hint = `${response} Check ProductApiKey; it may have been rotated.`;
    return new ApiKeyRefusedError(ENGLISH.ApiKeyRefused, { ...details, hint });
  }
  if (typeof code === "string") {
    return errorForCode(code, problem, amountsOf(reply.body), said, details);
  }
  const hint = `${response} ${CHECK_ADDRESS}`;
  return new UnexpectedReplyError(ENGLISH.UnexpectedReply, { ...details, hint });
}

/** The seconds in Retry-After, which may contain seconds or a date. */
function retryAfter(reply: TransportReply, now: () => number): number | null {
  const text = (reply.headers["retry-after"] ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const moment = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : Math.max(0, (moment - now()) / 1000);
}

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
import { CHECK_ADDRESS, requestIdOf } from "./reply.js";
import { isPrintable } from "./status.js";
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
  return new CaptivePortalError(
    "A web page came instead of the license server's response. Hotel and guest networks do this " +
      "until you sign in: open a browser and sign in, then try again.",
    {
      hint:
        `${host} responded with ${redirect ? "a redirect" : "a web page"} (HTTP ${reply.status}). ` +
        `${CHECK_ADDRESS} It needs https if the server requires it, and no web filter may block it.`,
    },
  );
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
    return new RateLimitedError(
      "The license server is busy. Wait a moment, and try again.",
      details,
    );
  }
  if (reply.status >= 500) {
    return new ServerUnavailableError(
      "The license server is not available. Try again later.",
      details,
    );
  }
  if (reply.status === 401 && !REFUSALS.includes(code)) {
    return new ApiKeyRefusedError(
      "The license server does not accept this application. Contact the vendor.",
      { ...details, hint: `${response} Check ProductApiKey; it may have been rotated.` },
    );
  }
  if (typeof code === "string") {
    return errorForCode(code, problem, amountsOf(reply.body), said, details);
  }
  return new UnexpectedReplyError(
    "The response does not come from a license server. Contact the vendor.",
    { ...details, hint: `${response} ${CHECK_ADDRESS}` },
  );
}

/** The seconds in Retry-After, which may contain seconds or a date. */
function retryAfter(reply: TransportReply, now: () => number): number | null {
  const text = (reply.headers["retry-after"] ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const moment = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? null : Math.max(0, (moment - now()) / 1000);
}

/** Typed errors for what Node says about a failed request. */

import {
  ConnectionLostError,
  DnsError,
  LicetError,
  NetworkError,
  ServerRefusedError,
  ServerTimeoutError,
} from "../core/errors.js";
import { ENGLISH } from "../sentences/english.js";
import { ProxyError, TlsError } from "../core/partErrors.js";

const CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** Converts an error of Node's to a typed one. Configuration errors pass. */
export function networkError(error: unknown, url: URL, proxy: URL | null): LicetError {
  if (error instanceof LicetError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const [host, cause] = [url.hostname, error];
  if (CERTIFICATE.test(code)) return certificateError(host, code, message, cause);
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return new TlsError(
      "No secure connection to the license server could be established. Ask your administrator.",
      {
        cause,
        hint: `${host} (${code}): the port may not support TLS, or a proxy or firewall interferes.`,
      },
    );
  }
  if (proxy !== null && (isUnresolved(code) || isUnreachable(code))) {
    return new ProxyError(
      "The proxy of this computer cannot be reached. Check your internet connection, or ask your " +
        "administrator.",
      {
        cause,
        hint:
          `The proxy ${proxy.host} for ${host} cannot be reached (${code}). Check HTTPS_PROXY, ` +
          "HTTP_PROXY and NO_PROXY.",
      },
    );
  }
  return connectionError(code, message, host, cause);
}

function connectionError(
  code: string,
  message: string,
  host: string,
  cause: unknown,
): NetworkError {
  if (isUnresolved(code)) {
    return new DnsError(ENGLISH.Dns, {
      cause,
      hint:
        `The name ${host} does not resolve. Check the DNS settings and the spelling of ` +
        "ServerBaseEndpoint.",
    });
  }
  if (code === "ECONNREFUSED") {
    return new ServerRefusedError(ENGLISH.ServerRefused, {
      cause,
      hint:
        `${host} refused the connection: nothing listens on that port. Check the port in ` +
        "ServerBaseEndpoint, the firewall, and that the license server is running.",
    });
  }
  if (code === "ETIMEDOUT") {
    return new ServerTimeoutError(ENGLISH.ServerTimeout, {
      cause,
      hint: `${host} did not respond; a firewall may be dropping the traffic.`,
    });
  }
  if (isUnreachable(code)) {
    return new NetworkError(ENGLISH.Network, {
      cause,
      hint: `Connecting to ${host} failed (${code}). Check the firewall.`,
    });
  }
  return new ConnectionLostError(ENGLISH.ConnectionLost, {
    cause,
    hint: `${host}: ${message.slice(0, 200)}. A firewall or a proxy may be cutting connections.`,
  });
}

function isUnresolved(code: string): boolean {
  return code === "ENOTFOUND" || code.startsWith("EAI_");
}

/** Whether a system's error says that no connection was made. */
export function isUnreachable(code: string): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"].includes(code);
}

function certificateError(host: string, code: string, message: string, cause: unknown): TlsError {
  const advice: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: "Its certificate has expired, or this computer's clock is ahead.",
    CERT_NOT_YET_VALID:
      "Its certificate is not valid yet: this computer's clock is probably behind.",
  };
  const hint =
    code === "ERR_TLS_CERT_ALTNAME_INVALID"
      ? "Its certificate is for another name: another server responds at this address."
      : "Its certificate was issued by an authority that this computer does not trust. If a " +
        "company proxy or antivirus software intercepts TLS, name its CA certificate in the " +
        "setting CaBundle.";
  return new TlsError(
    "The connection to the license server is not trusted. " +
      (advice[code] ?? "Ask your administrator."),
    { cause, hint: `${host}: ${message.slice(0, 200)}. ${advice[code] ? "" : hint}`.trim() },
  );
}

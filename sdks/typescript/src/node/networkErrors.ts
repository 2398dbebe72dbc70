/** Typed errors for what Node says about a failed request. */

import {
  ConnectionLostError,
  DnsError,
  LicetError,
  NetworkError,
  ServerRefusedError,
  ServerTimeoutError,
} from "../core/errors.js";
import { ProxyError, TlsError } from "../core/partErrors.js";

const CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** Converts an error of Node's to a typed one. Configuration errors pass. */
export function networkError(error: unknown, url: URL, proxy: URL | null): LicetError {
  if (error instanceof LicetError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const [host, cause] = [url.hostname, { cause: error }];
  if (CERTIFICATE.test(code)) return new TlsError(certificateMessage(host, code, message), cause);
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return new TlsError(
      `Could not establish an encrypted connection to ${host} (${code}). The port may not support ` +
        "TLS, or a proxy or firewall interferes. The license was not checked.",
      cause,
    );
  }
  if (proxy !== null && (isUnresolved(code) || isUnreachable(code))) {
    return new ProxyError(
      `The proxy ${proxy.host} for ${host} cannot be reached (${code}). Check HTTPS_PROXY, ` +
        "HTTP_PROXY and NO_PROXY.",
      cause,
    );
  }
  return connectionError(code, message, host, cause);
}

function connectionError(
  code: string,
  message: string,
  host: string,
  cause: ErrorOptions,
): NetworkError {
  if (isUnresolved(code)) {
    return new DnsError(
      `The name ${host} of the license server cannot be resolved. Check the internet connection, ` +
        "the DNS settings and the spelling of ServerBaseEndpoint.",
      cause,
    );
  }
  if (code === "ECONNREFUSED") {
    return new ServerRefusedError(
      `${host} refused the connection: nothing listens on that port. Check the port in ` +
        "ServerBaseEndpoint, the firewall, and that the license server is running.",
      cause,
    );
  }
  if (code === "ETIMEDOUT") {
    return new ServerTimeoutError(
      `The license server ${host} did not respond in time. Check the connection and try again; a ` +
        "firewall may be dropping the traffic.",
      cause,
    );
  }
  if (isUnreachable(code)) {
    return new NetworkError(
      `Could not connect to the license server ${host} (${code}). Check the internet connection ` +
        "and the firewall.",
      cause,
    );
  }
  return new ConnectionLostError(
    `The connection to the license server ${host} was lost: ${message.slice(0, 200)}. Try again; ` +
      "if the problem persists, check for a firewall or proxy that cuts connections.",
    cause,
  );
}

function isUnresolved(code: string): boolean {
  return code === "ENOTFOUND" || code.startsWith("EAI_");
}

function isUnreachable(code: string): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"].includes(code);
}

function certificateMessage(host: string, code: string, message: string): string {
  const advice: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: "Its certificate has expired, or this computer's clock is ahead.",
    CERT_NOT_YET_VALID:
      "Its certificate is not valid yet: this computer's clock is probably behind.",
    ERR_TLS_CERT_ALTNAME_INVALID:
      "Its certificate is for another name: another server responds at this address.",
  };
  const unknown =
    "Its certificate was issued by an authority that this computer does not trust. If a company " +
    "proxy or antivirus software intercepts TLS, name its CA certificate in the setting CaBundle.";
  return (
    `The connection to ${host} is not trusted (${message.slice(0, 200)}). ` +
    `${advice[code] ?? unknown} The license was not checked.`
  );
}

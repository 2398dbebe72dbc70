/** The errors that only the parts throw which are loaded at their first use. */

import { LicetError, NetworkError, ServerFaultError } from "./errors.js";
import { RequestRefusedError } from "./refusals.js";

/** The SHA-256 of a downloaded file does not match; the download was deleted. */
export class DamagedDownloadError extends LicetError {
  static override readonly code = "DamagedDownload";
}
/** The offered update is not signed with a trusted key, or not for this application. */
export class UntrustedUpdateError extends LicetError {
  static override readonly code = "UntrustedUpdate";
}
/** The certificate is not trusted or the handshake failed; often caused by TLS interception. */
export class TlsError extends NetworkError {
  static override readonly code = "Tls";
}
/** A proxy could not be reached, requires authentication, or refused the request. */
export class ProxyError extends NetworkError {
  static override readonly code = "Proxy";
}
/** The server failed or is overloaded (5xx). */
export class ServerUnavailableError extends ServerFaultError {
  static override readonly code = "ServerUnavailable";
}
/** Too many requests; see `retryAfter`. */
export class RateLimitedError extends ServerFaultError {
  static override readonly code = "RateLimited";
}
/** The product key is wrong, expired or revoked. Says nothing about the license. */
export class ApiKeyRefusedError extends ServerFaultError {
  static override readonly code = "ApiKeyRefused";
}
/** No seat or credits can be had, or they not be renewed, reported or returned; `errorCode` says why. */
export class LeaseRefusedError extends RequestRefusedError {
  static override readonly code = "LeaseRefused";
}
/** The enrollment key is unknown, deleted, expired or used up, or not for this network. */
export class EnrollmentKeyInvalidError extends RequestRefusedError {
  static override readonly code = "EnrollmentKeyInvalid";
}

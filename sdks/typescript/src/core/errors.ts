/**
 * The errors of this package. Each message says what went wrong and what to do.
 *
 * An invalid license is no error: it is a `LicenseResult`. `code` is stable and names the class
 * without the suffix `Error`; `errorCode` is the server's own code or, from `open()`, the status.
 */

/** The base class of all errors of this package. */
export class LicetError extends Error {
  static readonly code: string = "Licet";
  readonly code: string;
  /** The key of the `consume()` call that failed; pass it to another call to learn its outcome. */
  idempotencyKey: string | null = null;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = new.target.code;
    this.name = `${this.code}Error`;
  }
}

/** A setting is missing, invalid or conflicts with another one. */
export class ConfigurationError extends LicetError {
  static override readonly code = "Configuration";
}
/** license.bin exists but cannot be read, or cannot be written. */
export class LicenseFileError extends LicetError {
  static override readonly code = "LicenseFile";
}

/** The server did not respond. Says nothing about the license. */
export class NetworkError extends LicetError {
  static override readonly code: string = "Network";
}
/** The server's name does not resolve. */
export class DnsError extends NetworkError {
  static override readonly code = "Dns";
}
/** Nothing listens at that address and port. */
export class ServerRefusedError extends NetworkError {
  static override readonly code = "ServerRefused";
}
/** The connection was reset or closed before the response was complete. */
export class ConnectionLostError extends NetworkError {
  static override readonly code = "ConnectionLost";
}
/** There was no complete response in time. */
export class ServerTimeoutError extends NetworkError {
  static override readonly code = "ServerTimeout";
}
/** A web page or a redirect came instead of the license server's response. */
export class CaptivePortalError extends NetworkError {
  static override readonly code = "CaptivePortal";
}

/** What an HTTP response with an error says besides its message. */
export interface FaultDetails {
  readonly httpStatus: number;
  readonly errorCode?: string | null;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** An HTTP response with an error. */
export class ServerFaultError extends LicetError {
  static override readonly code: string = "ServerFault";
  /** 0 if this machine decided. */
  readonly httpStatus: number;
  readonly errorCode: string | null;
  /** To give to the vendor's support. */
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt, if the server said so. */
  readonly retryAfter: number | null;

  constructor(message: string, details: FaultDetails) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.httpStatus = details.httpStatus;
    this.errorCode = details.errorCode ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfter = details.retryAfter ?? null;
  }
}
/** The response does not come from a license server, or not to this request. */
export class UnexpectedReplyError extends ServerFaultError {
  static override readonly code = "UnexpectedReply";
}

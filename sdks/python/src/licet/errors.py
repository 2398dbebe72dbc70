"""Every exception that this package raises, each naming its cause and what to do about it.

An invalid license is never one of them: that is a :class:`licet.LicenseResult`.

* :class:`LicetError`

  * :class:`ConfigurationError` - the call or the settings file is wrong; fix the application
  * :class:`LicenseFileError` - license.bin cannot be read from or written to disk
  * :class:`DamagedDownloadError` - a downloaded file is not what the server promised
  * :class:`NetworkError` - no answer from the license server

    * :class:`DnsError` - its name does not resolve
    * :class:`ServerRefusedError` - nothing listens at that address and port
    * :class:`ConnectionLostError` - the connection broke before the answer was complete
    * :class:`ServerTimeoutError` - no answer in time
    * :class:`TlsError` - the encrypted connection could not be trusted
    * :class:`ProxyError` - the proxy between here and the server failed or refused
    * :class:`CaptivePortalError` - somebody else answered with a web page or a redirect

  * :class:`ServerFaultError` - the server, or something in its name, answered with a fault

    * :class:`ServerUnavailableError` - HTTP 5xx
    * :class:`RateLimitedError` - HTTP 429
    * :class:`ApiKeyRefusedError` - HTTP 401: the product API key
    * :class:`RequestRefusedError` - any other refusal, with its ``error_code``

      * :class:`LicenseRefusedError` - the license is unknown, withdrawn or at the end of its term
      * :class:`SeatsExhaustedError` - all seats of the license are taken
      * :class:`ActivationRequiredError` - this device has to be activated first
      * :class:`ApprovalPendingError` - the vendor has not yet approved this device
      * :class:`DeviceBlockedError` - the vendor blocked this device
      * :class:`HardwareMismatchError` - the license is bound to another device
      * :class:`SessionLostError` - the session's seat was given up
      * :class:`InsufficientBalanceError` - the meter's balance does not cover the charge
      * :class:`FeatureNotEntitledError` - the license does not grant the feature
      * :class:`PricingNotConfiguredError` - the vendor has set no price for the feature
      * :class:`NotMeteredError` - the license has no meter
      * :class:`WalletNotFoundError` - the license's meter has no balance to charge
      * :class:`IdempotencyKeyReusedError` - the key stands for another charge
      * :class:`DownloadWithdrawnError` - the file is not offered any more
      * :class:`ConcurrencyConflictError` - others charged the meter at the same moment

    * :class:`UnexpectedReplyError` - an answer that no license server gives
"""

from __future__ import annotations

from decimal import Decimal


class LicetError(Exception):
    """The root of the tree: catch this to catch them all.

    Args:
        message: One or two sentences: what went wrong, and what to do about it.

    Attributes:
        idempotency_key: Of the ``consume()`` that failed with this, otherwise ``None``. Asking
            again with it tells what became of the charge, and never charges twice.
    """

    idempotency_key: str | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(LicetError):
    """A setting is missing, malformed or contradicts another one."""


class LicenseFileError(LicetError):
    """license.bin is there but cannot be read, or cannot be written."""


class DamagedDownloadError(LicetError):
    """A downloaded file does not have the SHA-256 that the server told; it was deleted."""


class NetworkError(LicetError):
    """The server gave no answer. The license may be perfectly good."""


class DnsError(NetworkError):
    """The name of the server does not resolve."""


class ServerRefusedError(NetworkError):
    """The machine answered that nothing listens on that port."""


class ConnectionLostError(NetworkError):
    """The connection was made and then reset or closed before a whole answer had come."""


class ServerTimeoutError(NetworkError):
    """No connection, or no whole answer, within the time allowed."""


class TlsError(NetworkError):
    """The certificate was not trusted or the handshake failed; often TLS interception."""


class ProxyError(NetworkError):
    """A proxy could not be reached, wants a sign-in, or would not pass the request on."""


class CaptivePortalError(NetworkError):
    """A web page or a redirect came instead of an answer of the license server."""


class ServerFaultError(LicetError):
    """An HTTP answer that carries a fault.

    Attributes:
        http_status: The status of the answer.
        error_code: The stable code of the fault, where the server gave one.
        request_id: What to quote to the vendor's support.
        retry_after: Seconds to wait before the next attempt, where the server said so.
    """

    def __init__(
        self,
        message: str,
        *,
        http_status: int,
        error_code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.http_status = http_status
        self.error_code = error_code
        self.request_id = request_id
        self.retry_after = retry_after


class ServerUnavailableError(ServerFaultError):
    """The server failed or is overloaded (5xx). Already retried where that helps."""


class RateLimitedError(ServerFaultError):
    """Too many requests; see ``retry_after``."""


class ApiKeyRefusedError(ServerFaultError):
    """The product API key is wrong, expired or revoked. Says nothing about the license."""


class RequestRefusedError(ServerFaultError):
    """The server understood the request and will not carry it out; see ``error_code``."""


class LicenseRefusedError(RequestRefusedError):
    """The license key is unknown, or the license is revoked, suspended or expired."""


class SeatsExhaustedError(RequestRefusedError):
    """Every seat of the license is taken.

    Attributes:
        seats_used: Seats taken now, where the server said so.
        seats_total: Seats that the license has, where the server said so.
    """

    seats_used: int | None = None
    seats_total: int | None = None


class ActivationRequiredError(RequestRefusedError):
    """The license is for activated devices, and this one is not activated."""


class ApprovalPendingError(RequestRefusedError):
    """This device waits for the vendor's approval."""


class DeviceBlockedError(RequestRefusedError):
    """The vendor blocked this device."""


class HardwareMismatchError(RequestRefusedError):
    """The license is bound to another device."""


class SessionLostError(RequestRefusedError):
    """The session no longer holds a seat.

    Either the server dropped it, or no heartbeat got through for so long that the server must have
    given the seat up. In the second case ``http_status`` is 0 and the last fault is the
    ``__cause__``.
    """


class InsufficientBalanceError(RequestRefusedError):
    """The balance does not cover the charge, and is as it was.

    Attributes:
        cost: Of the charge, where the server said so.
        balance: What there was, where the server said so.
        replayed: Whether this is the answer to an earlier attempt with the same idempotency key.
    """

    cost: Decimal | None = None
    balance: Decimal | None = None
    replayed: bool = False


class FeatureNotEntitledError(RequestRefusedError):
    """The license does not grant the feature."""


class PricingNotConfiguredError(RequestRefusedError):
    """The product has no such feature, or no price for it."""


class NotMeteredError(RequestRefusedError):
    """The license has no meter: it is neither a MeteredToken nor a MeteredCount one."""


class WalletNotFoundError(RequestRefusedError):
    """The license is metered, but the server has no balance of it; the vendor has to see to it."""


class IdempotencyKeyReusedError(RequestRefusedError):
    """The idempotency key was used before, for another feature or quantity."""


class DownloadWithdrawnError(RequestRefusedError):
    """The vendor has withdrawn the release, or the file. Check for an update again."""


class ConcurrencyConflictError(RequestRefusedError):
    """Others charged the meter at the same moment. Already retried."""


class UnexpectedReplyError(ServerFaultError):
    """The answer is not one that a license server gives; the address may be wrong."""

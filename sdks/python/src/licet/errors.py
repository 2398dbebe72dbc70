"""The exceptions of this package. Each has a message for the user and a hint for the developer.

An invalid license does not raise: it is a :class:`licet.LicenseResult`.

* :class:`LicetError`

  * :class:`ConfigurationError` - an option or the settings file is invalid; fix the application
  * :class:`LicenseFileError` - license.bin cannot be read from or written to disk
  * :class:`OfflineCodeError` - a typed code is mistyped, or not for this device
  * :class:`DamagedDownloadError` - the SHA-256 of a downloaded file does not match
  * :class:`UntrustedUpdateError` - an offered update is not signed by the vendor
  * :class:`NetworkError` - the license server did not respond

    * :class:`OnlineRequiredError` - the license cannot be opened without the server's answer
    * :class:`DnsError` - the server's name does not resolve
    * :class:`ServerRefusedError` - nothing listens at that address and port
    * :class:`ConnectionLostError` - the connection broke before the response was complete
    * :class:`ServerTimeoutError` - no response in time
    * :class:`TlsError` - the encrypted connection could not be trusted
    * :class:`ProxyError` - the proxy failed or refused
    * :class:`CaptivePortalError` - a web page or a redirect came instead of the server's response

  * :class:`ServerFaultError` - the server, or something in between, responded with an error

    * :class:`ServerUnavailableError` - HTTP 5xx
    * :class:`RateLimitedError` - HTTP 429
    * :class:`ApiKeyRefusedError` - HTTP 401: the product API key
    * :class:`RequestRefusedError` - any other refusal, with its ``error_code``

      * :class:`LicenseRefusedError` - the license is unknown, revoked, suspended or expired, or
        may not be used for another reason
      * :class:`EnrollmentKeyInvalidError` - the enrollment key is not accepted
      * :class:`SeatsExhaustedError` - all seats of the license are taken
      * :class:`ActivationRequiredError` - this device has to be activated first
      * :class:`ApprovalPendingError` - the vendor has not approved this device yet
      * :class:`DeviceBlockedError` - the vendor has blocked this device
      * :class:`DeviceProofRequiredError` - this device has to prove its key, and could not
      * :class:`HardwareMismatchError` - the license is bound to another device
      * :class:`SessionLostError` - the session has lost its seat
      * :class:`LeaseRefusedError` - a seat or credits cannot be lent, renewed or returned
      * :class:`InsufficientBalanceError` - the balance does not cover the charge
      * :class:`FeatureNotEntitledError` - the license does not grant the feature
      * :class:`PricingNotConfiguredError` - the feature has no price
      * :class:`NotMeteredError` - the license is not metered
      * :class:`WalletNotFoundError` - the metered license has no wallet
      * :class:`IdempotencyKeyReusedError` - the idempotency key was used for another charge
      * :class:`DownloadWithdrawnError` - the file is no longer offered
      * :class:`ConcurrencyConflictError` - the license was charged concurrently

    * :class:`UnexpectedReplyError` - a response that does not come from a license server
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from licet._licet_error import LicetError as LicetError  # noqa: PLC0414 - public here

if TYPE_CHECKING:
    from licet._model import LicenseResult


class ConfigurationError(LicetError):
    """A setting is missing, invalid or conflicts with another one."""


class LicenseFileError(LicetError):
    """license.bin exists but cannot be read, or cannot be written."""


class OfflineCodeError(LicetError):
    """A code is mistyped, or is not for the request, the license and the device.

    Attributes:
        group: The first group that has a mistake, from 1 to 28; ``None`` if none has, so that the
            code is for another request.
    """

    def __init__(self, message: str, *, hint: str = "", group: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.group = group


class DamagedDownloadError(LicetError):
    """The SHA-256 of a downloaded file does not match the server's; the file was deleted."""


class UntrustedUpdateError(LicetError):
    """The offered update is not signed with a trusted key, or not for this application.

    It is for another product or channel, not newer, or a file differs. Nothing was downloaded.
    """


class NetworkError(LicetError):
    """The server did not respond. Says nothing about the license."""


class OnlineRequiredError(NetworkError):
    """The license has to be checked with the server, which could not be asked.

    ``__cause__`` is the error that prevented it, if the server was asked.

    Attributes:
        result: The result of the validation.
    """

    def __init__(self, message: str, *, hint: str = "", result: LicenseResult) -> None:
        super().__init__(message, hint=hint)
        self.result = result


class DnsError(NetworkError):
    """The server's name does not resolve."""


class ServerRefusedError(NetworkError):
    """The server's machine refused the connection: nothing listens on that port."""


class ConnectionLostError(NetworkError):
    """The connection was reset or closed before the response was complete."""


class ServerTimeoutError(NetworkError):
    """The connection or the response took longer than the timeout."""


class TlsError(NetworkError):
    """The certificate is not trusted or the handshake failed; often caused by TLS interception."""


class ProxyError(NetworkError):
    """A proxy could not be reached, requires authentication, or refused the request."""


class CaptivePortalError(NetworkError):
    """A web page or a redirect came instead of the license server's response."""


class ServerFaultError(LicetError):
    """An HTTP response with an error.

    Attributes:
        http_status: The HTTP status of the response.
        error_code: The stable error code, if the server sent one.
        request_id: The request ID to give to the vendor's support.
        retry_after: Seconds to wait before the next attempt, if the server said so.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        http_status: int,
        error_code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.http_status = http_status
        self.error_code = error_code
        self.request_id = request_id
        self.retry_after = retry_after


class ServerUnavailableError(ServerFaultError):
    """The server failed or is overloaded (5xx). 502 to 504 have already been retried."""


class RateLimitedError(ServerFaultError):
    """Too many requests; see ``retry_after``."""


class ApiKeyRefusedError(ServerFaultError):
    """The product key is wrong, expired or revoked. Says nothing about the license."""


class RequestRefusedError(ServerFaultError):
    """The server refused the request; see ``error_code``.

    Attributes:
        result: From ``open()``: the result of the validation, whose status is the ``error_code``.
            Then ``http_status`` is 0 if license.bin on this machine decided.
    """

    result: LicenseResult | None = None


class LicenseRefusedError(RequestRefusedError):
    """The license may not be used.

    The key is unknown, the user name or password is wrong, or the license is revoked, suspended or
    expired. From ``open()`` also for every other status that has no error of its own.
    """


class EnrollmentKeyInvalidError(RequestRefusedError):
    """The enrollment key is unknown, deleted, expired or used up, or not for this network."""


class SeatsExhaustedError(RequestRefusedError):
    """All seats of the license are taken.

    Attributes:
        seats_used: Seats in use, if the server said so.
        seats_total: The seat cap of the license, if the server said so.
        can_release: Whether the user may free the seat of another device now, with
            :meth:`licet.LicenseClient.devices` and ``release_device()``.
    """

    seats_used: int | None = None
    seats_total: int | None = None
    can_release: bool = False


class ActivationRequiredError(RequestRefusedError):
    """The license requires activated devices, and this device is not activated."""


class ApprovalPendingError(RequestRefusedError):
    """The vendor has not approved this device yet."""


class DeviceBlockedError(RequestRefusedError):
    """The vendor has blocked this device."""


class DeviceProofRequiredError(RequestRefusedError):
    """This device has to prove its key, and could not: it is missing, another, or was refused.

    The key is in the state folder; ``open()`` says in the warnings of ``result`` why there is none.
    """


class HardwareMismatchError(RequestRefusedError):
    """The license is bound to another device."""


class SessionLostError(RequestRefusedError):
    """The session no longer holds a seat.

    Either the server ended the session, or no heartbeat reached the server within the session
    timeout. In the second case ``http_status`` is 0 and ``__cause__`` is the last error.

    Attributes:
        end_reason: ``Replaced`` if another copy has connected with the session's instance ID.
    """

    end_reason: str | None = None


class LeaseRefusedError(RequestRefusedError):
    """A seat cannot be borrowed, or credits cannot be reserved, renewed, reported or returned.

    The ``error_code`` is ``LeaseLimitReached`` if the vendor lends none, not for so long, or no
    more, ``LeaseNotFound`` if this device has none, and ``LeaseForked`` if a copy of its data
    folder has used it, too.
    """


class InsufficientBalanceError(RequestRefusedError):
    """The balance does not cover the charge; nothing was charged.

    Attributes:
        cost: The cost of the charge, if the server said so.
        balance: The balance at that time, if the server said so.
        replayed: Whether this is the stored response to an earlier attempt with the same
            idempotency key.
    """

    cost: Decimal | None = None
    balance: Decimal | None = None
    replayed: bool = False


class FeatureNotEntitledError(RequestRefusedError):
    """The license does not grant the feature."""


class PricingNotConfiguredError(RequestRefusedError):
    """The product does not have this feature, or the feature has no price."""


class NotMeteredError(RequestRefusedError):
    """The license is not metered: it is neither MeteredToken nor MeteredCount."""


class WalletNotFoundError(RequestRefusedError):
    """The license is metered, but has no wallet on the server. The vendor has to fix this."""


class IdempotencyKeyReusedError(RequestRefusedError):
    """The idempotency key was already used for another feature or quantity."""


class DownloadWithdrawnError(RequestRefusedError):
    """The vendor has withdrawn the release or the file. Check for an update again."""


class ConcurrencyConflictError(RequestRefusedError):
    """The license was charged concurrently. Already retried."""


class UnexpectedReplyError(ServerFaultError):
    """The response does not come from a license server; the address may be wrong."""

"""License checks for applications.

>>> from licet import LicenseClient
>>> with LicenseClient(product_id=..., public_key=..., ...) as client, client.open() as license:
...     license.features, license.seat, license.expiration_date

The names in ``__all__`` are the public API. Modules that start with an underscore are private.
"""

from licet._activation import Activation, ActivationStatus
from licet._async_client import AsyncLicenseClient
from licet._async_session import AsyncSession
from licet._client import LicenseClient
from licet._config import ClientOptions, SeatMode
from licet._metering import Balance, Consumption, MeterMode
from licet._model import EntitlementValue, License, LicenseResult, LicenseSeat, Product, Release
from licet._open_license import AsyncOpenLicense, OpenLicense
from licet._seat import AsyncSeat, Seat
from licet._session import Session
from licet._status import LicenseValidationStatus
from licet._transport import AsyncTransport, Transport, TransportReply, TransportRequest
from licet._updates import Update, UpdateFile
from licet._version import __version__
from licet.errors import (
    ActivationRequiredError,
    ApiKeyRefusedError,
    ApprovalPendingError,
    CaptivePortalError,
    ConcurrencyConflictError,
    ConfigurationError,
    ConnectionLostError,
    DamagedDownloadError,
    DeviceBlockedError,
    DnsError,
    DownloadWithdrawnError,
    FeatureNotEntitledError,
    HardwareMismatchError,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
    LicenseFileError,
    LicenseRefusedError,
    LicetError,
    NetworkError,
    NotMeteredError,
    PricingNotConfiguredError,
    ProxyError,
    RateLimitedError,
    RequestRefusedError,
    SeatsExhaustedError,
    ServerFaultError,
    ServerRefusedError,
    ServerTimeoutError,
    ServerUnavailableError,
    SessionLostError,
    TlsError,
    UnexpectedReplyError,
    UntrustedUpdateError,
    WalletNotFoundError,
)

__all__ = [
    "Activation",
    "ActivationRequiredError",
    "ActivationStatus",
    "ApiKeyRefusedError",
    "ApprovalPendingError",
    "AsyncLicenseClient",
    "AsyncOpenLicense",
    "AsyncSeat",
    "AsyncSession",
    "AsyncTransport",
    "Balance",
    "CaptivePortalError",
    "ClientOptions",
    "ConcurrencyConflictError",
    "ConfigurationError",
    "ConnectionLostError",
    "Consumption",
    "DamagedDownloadError",
    "DeviceBlockedError",
    "DnsError",
    "DownloadWithdrawnError",
    "EntitlementValue",
    "FeatureNotEntitledError",
    "HardwareMismatchError",
    "IdempotencyKeyReusedError",
    "InsufficientBalanceError",
    "License",
    "LicenseClient",
    "LicenseFileError",
    "LicenseRefusedError",
    "LicenseResult",
    "LicenseSeat",
    "LicenseValidationStatus",
    "LicetError",
    "MeterMode",
    "NetworkError",
    "NotMeteredError",
    "OpenLicense",
    "PricingNotConfiguredError",
    "Product",
    "ProxyError",
    "RateLimitedError",
    "Release",
    "RequestRefusedError",
    "Seat",
    "SeatMode",
    "SeatsExhaustedError",
    "ServerFaultError",
    "ServerRefusedError",
    "ServerTimeoutError",
    "ServerUnavailableError",
    "Session",
    "SessionLostError",
    "TlsError",
    "Transport",
    "TransportReply",
    "TransportRequest",
    "UnexpectedReplyError",
    "UntrustedUpdateError",
    "Update",
    "UpdateFile",
    "WalletNotFoundError",
    "__version__",
]

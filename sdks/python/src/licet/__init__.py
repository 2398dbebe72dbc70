"""License checks for applications.

>>> from licet import LicenseClient, LicetError
>>> try:
...     with LicenseClient(**options) as client, client.open() as license:
...         print(license.status, license.has_feature("export"), license.entitlement("projects"))
... except LicetError as error:
...     print(error.message)
Valid True 5

The names in ``__all__`` are the public API. Modules that start with an underscore are private.
"""

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from licet._activation import Activation, ActivationStatus
from licet._client import LicenseClient
from licet._config import ClientOptions, SeatMode
from licet._device_key import DeviceIdentity
from licet._license_models import LicenseStatus, LicenseType
from licet._model import EntitlementValue, License, LicenseResult, LicenseSeat, Product, Release
from licet._status import LicenseValidationStatus
from licet._transport import AsyncTransport, Transport, TransportReply, TransportRequest
from licet._version import __version__
from licet._watch import Watch
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
    DeviceProofRequiredError,
    DnsError,
    DownloadWithdrawnError,
    EnrollmentKeyInvalidError,
    FeatureNotEntitledError,
    HardwareMismatchError,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
    LeaseRefusedError,
    LicenseFileError,
    LicenseRefusedError,
    LicetError,
    NetworkError,
    NotMeteredError,
    OfflineCodeError,
    OnlineRequiredError,
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

# Nothing is printed unless the application configures logging.
logging.getLogger("licet").addHandler(logging.NullHandler())

if TYPE_CHECKING:
    from licet._async_borrowed_seat import AsyncBorrowedSeat
    from licet._async_client import AsyncLicenseClient
    from licet._async_open_license import AsyncOpenLicense
    from licet._async_reserved_credits import AsyncReservedCredits
    from licet._async_seat import AsyncSeat
    from licet._async_session import AsyncSession
    from licet._async_watch import AsyncWatch
    from licet._borrowing import BorrowedSeat
    from licet._code_letters import check_code_group
    from licet._devices import Device, Devices
    from licet._metering import Balance, Consumption, MeterMode
    from licet._offline_request import OfflineRelease, OfflineRequest
    from licet._open_license import OpenLicense
    from licet._reserved_credits import ReservedCredits
    from licet._seat import Seat
    from licet._session import Session
    from licet._updates import NewerRelease, Update, UpdateFile
else:
    # Loaded when they are used: asyncio takes longer to load than an offline license to verify.
    _MODULES = {
        "AsyncBorrowedSeat": "licet._async_borrowed_seat",
        "Balance": "licet._metering",
        "BorrowedSeat": "licet._borrowing",
        "Consumption": "licet._metering",
        "Device": "licet._devices",
        "Devices": "licet._devices",
        "MeterMode": "licet._metering",
        "NewerRelease": "licet._updates",
        "OfflineRelease": "licet._offline_request",
        "OfflineRequest": "licet._offline_request",
        "OpenLicense": "licet._open_license",
        "ReservedCredits": "licet._reserved_credits",
        "Seat": "licet._seat",
        "Session": "licet._session",
        "Update": "licet._updates",
        "UpdateFile": "licet._updates",
        "check_code_group": "licet._code_letters",
        "AsyncLicenseClient": "licet._async_client",
        "AsyncOpenLicense": "licet._async_open_license",
        "AsyncReservedCredits": "licet._async_reserved_credits",
        "AsyncSeat": "licet._async_seat",
        "AsyncSession": "licet._async_session",
        "AsyncWatch": "licet._async_watch",
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)

    def __dir__():
        return __all__


__all__ = [
    "Activation",
    "ActivationRequiredError",
    "ActivationStatus",
    "ApiKeyRefusedError",
    "ApprovalPendingError",
    "AsyncBorrowedSeat",
    "AsyncLicenseClient",
    "AsyncOpenLicense",
    "AsyncReservedCredits",
    "AsyncSeat",
    "AsyncSession",
    "AsyncTransport",
    "AsyncWatch",
    "Balance",
    "BorrowedSeat",
    "CaptivePortalError",
    "ClientOptions",
    "ConcurrencyConflictError",
    "ConfigurationError",
    "ConnectionLostError",
    "Consumption",
    "DamagedDownloadError",
    "Device",
    "DeviceBlockedError",
    "DeviceIdentity",
    "DeviceProofRequiredError",
    "Devices",
    "DnsError",
    "DownloadWithdrawnError",
    "EnrollmentKeyInvalidError",
    "EntitlementValue",
    "FeatureNotEntitledError",
    "HardwareMismatchError",
    "IdempotencyKeyReusedError",
    "InsufficientBalanceError",
    "LeaseRefusedError",
    "License",
    "LicenseClient",
    "LicenseFileError",
    "LicenseRefusedError",
    "LicenseResult",
    "LicenseSeat",
    "LicenseStatus",
    "LicenseType",
    "LicenseValidationStatus",
    "LicetError",
    "MeterMode",
    "NetworkError",
    "NewerRelease",
    "NotMeteredError",
    "OfflineCodeError",
    "OfflineRelease",
    "OfflineRequest",
    "OnlineRequiredError",
    "OpenLicense",
    "PricingNotConfiguredError",
    "Product",
    "ProxyError",
    "RateLimitedError",
    "Release",
    "RequestRefusedError",
    "ReservedCredits",
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
    "Watch",
    "__version__",
    "check_code_group",
]

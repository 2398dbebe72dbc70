"""Licet for applications: may this copy run here?

>>> from licet import LicenseClient
>>> with LicenseClient(product_id=..., public_key=...) as client:
...     result = client.validate()
>>> result.valid, result.status, result.message

Everything that is promised is named in ``__all__``; the modules with an underscore are not.
"""

from licet._client import AsyncLicenseClient, LicenseClient
from licet._config import ClientOptions
from licet._model import License, LicenseResult, Product, Release
from licet._status import LicenseValidationStatus
from licet._transport import AsyncTransport, Transport, TransportReply, TransportRequest
from licet._version import __version__
from licet.errors import (
    ApiKeyRefusedError,
    CaptivePortalError,
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicenseFileError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    RequestRefusedError,
    ServerFaultError,
    ServerRefusedError,
    ServerTimeoutError,
    ServerUnavailableError,
    TlsError,
    UnexpectedReplyError,
)

__all__ = [
    "ApiKeyRefusedError",
    "AsyncLicenseClient",
    "AsyncTransport",
    "CaptivePortalError",
    "ClientOptions",
    "ConfigurationError",
    "ConnectionLostError",
    "DnsError",
    "License",
    "LicenseClient",
    "LicenseFileError",
    "LicenseResult",
    "LicenseValidationStatus",
    "LicetError",
    "NetworkError",
    "Product",
    "ProxyError",
    "RateLimitedError",
    "Release",
    "RequestRefusedError",
    "ServerFaultError",
    "ServerRefusedError",
    "ServerTimeoutError",
    "ServerUnavailableError",
    "TlsError",
    "Transport",
    "TransportReply",
    "TransportRequest",
    "UnexpectedReplyError",
    "__version__",
]

from __future__ import annotations

import inspect

import licet
from licet import errors


def test_the_public_names() -> None:
    assert licet.__all__ == [
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
    assert all(hasattr(licet, name) for name in licet.__all__)


def test_every_error_is_public_and_drawn_in_the_tree() -> None:
    classes = [
        c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__
    ]
    assert len(classes) == 17
    for error in classes:
        assert issubclass(error, licet.LicetError)
        assert error.__name__ in licet.__all__
        assert f"`{error.__name__}`" in (errors.__doc__ or "")


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")} - {"close", "aclose"}

    assert public(licet.LicenseClient) == public(licet.AsyncLicenseClient)


def test_statuses() -> None:
    assert [status.value for status in licet.LicenseValidationStatus if status.valid] == [
        "Valid",
        "GracePeriod",
    ]
    assert len(licet.LicenseValidationStatus) == 18

"""Typed errors for calls without a response."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx

from licet._proxies import without_credentials
from licet._wording import english
from licet.errors import (
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicetError,
    NetworkError,
    ProxyError,
    ServerRefusedError,
    ServerTimeoutError,
    TlsError,
)

_CERTIFICATE_EXPIRED = 10
_CERTIFICATE_NOT_YET_VALID = 9
_WRONG_HOST_NAME = frozenset({62, 64})


def network_error(error: Exception, url: str, proxy_url: str | None) -> LicetError:
    """Convert an exception that httpx raised for ``url`` to a typed error."""
    host = urlsplit(url).hostname or url
    causes = list(_cause_chain(error))
    proxy = without_credentials(proxy_url) if proxy_url is not None else None
    tls = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    if isinstance(error, httpx.ProxyError):
        return ProxyError(
            "The proxy of this computer refused to connect to the license server. Ask your "
            "administrator.",
            hint=f"The proxy {proxy or ''} refused to connect to {host}: {_summary(error)}. Check "
            "HTTPS_PROXY and NO_PROXY, the proxy's credentials, and that it allows this address.",
        )
    if tls is not None:
        return _tls_error(tls, host)
    if isinstance(error, httpx.TimeoutException):
        return ServerTimeoutError(
            english("ServerTimeout"),
            hint=f"{host} did not respond; a firewall may be dropping the traffic.",
        )
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
        address = url.partition("?")[0]
        return ConfigurationError(
            f"The address of the license server is invalid: {address}.",
            hint="Check ServerBaseEndpoint.",
        )
    if isinstance(error, httpx.ConnectError) and proxy is not None:
        return ProxyError(
            "The proxy of this computer cannot be reached. Check your internet connection, or ask "
            "your administrator.",
            hint=f"The proxy {proxy} for {host}: {_summary(error)}. Check HTTPS_PROXY, HTTP_PROXY "
            "and NO_PROXY.",
        )
    return _connection_error(error, causes, host)


def _connection_error(error: Exception, causes: list[BaseException], host: str) -> NetworkError:
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return DnsError(
            english("Dns"),
            hint=f"The name {host} does not resolve. Check the DNS settings and the spelling of "
            "ServerBaseEndpoint.",
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return ServerRefusedError(
            english("ServerRefused"),
            hint=f"{host} refused the connection: nothing listens on that port. Check the port in "
            "ServerBaseEndpoint, the firewall, and that the license server is running.",
        )
    if isinstance(error, httpx.ConnectError):
        return NetworkError(
            english("Network"),
            hint=f"Connecting to {host} failed: {_summary(error)}. Check the firewall.",
        )
    return ConnectionLostError(
        english("ConnectionLost"),
        hint=f"{host}: {_summary(error)}. A firewall or a proxy may be cutting connections.",
    )


def _tls_error(error: ssl.SSLError, host: str) -> TlsError:
    code = getattr(error, "verify_code", 0)
    if not isinstance(error, ssl.SSLCertVerificationError):
        return TlsError(
            "No secure connection to the license server could be established. Ask your "
            "administrator.",
            hint=f"{host}: {error.reason or 'handshake failed'}. The port may not support TLS, or "
            "a proxy or firewall interferes.",
        )
    advice, hint = "Ask your administrator.", ""
    if code == _CERTIFICATE_EXPIRED:
        advice = "Its certificate has expired, or this computer's clock is ahead."
    elif code == _CERTIFICATE_NOT_YET_VALID:
        advice = "Its certificate is not valid yet: this computer's clock is probably behind."
    elif code in _WRONG_HOST_NAME:
        hint = "Its certificate is for another name: another server responds at this address."
    else:
        hint = (
            "Its certificate was issued by an authority that this computer does not trust. If a "
            "company proxy or antivirus software intercepts TLS, install its CA certificate or "
            "name it in the setting CaBundle."
        )
    return TlsError(
        f"The connection to the license server is not trusted. {advice}",
        hint=f"{host}: {error.verify_message}. {hint}".rstrip(),
    )


def _cause_chain(error: BaseException) -> Iterator[BaseException]:
    """The error and all its causes, including those in exception groups."""
    visited: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in visited:
            continue
        visited.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            pending.extend(current.exceptions)
        pending += [current.__context__, current.__cause__]


def _summary(error: Exception) -> str:
    text = str(error).strip().rstrip(".")
    return text[:200] or type(error).__name__

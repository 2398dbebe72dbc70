"""Typed errors for calls without a response."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx

from licet._proxies import without_credentials
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
            f"The proxy {proxy or ''} refused to connect to {host}: {_summary(error)}. Check the "
            "proxy settings (HTTPS_PROXY, NO_PROXY), the proxy's credentials, and that it allows "
            "this address."
        )
    if tls is not None:
        return _tls_error(tls, host)
    if isinstance(error, httpx.TimeoutException):
        return ServerTimeoutError(
            f"The license server {host} did not respond in time. "
            "Check the connection and try again; a firewall may be dropping the traffic."
        )
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
        address = url.partition("?")[0]
        return ConfigurationError(
            f"The address of the license server is invalid: {address}. Check ServerBaseEndpoint."
        )
    if isinstance(error, httpx.ConnectError) and proxy is not None:
        return ProxyError(
            f"The proxy {proxy} for {host} cannot be reached: {_summary(error)}. "
            "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
        )
    return _connection_error(error, causes, host)


def _connection_error(error: Exception, causes: list[BaseException], host: str) -> NetworkError:
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return DnsError(
            f"The name {host} of the license server cannot be resolved. Check the internet "
            "connection, the DNS settings and the spelling of ServerBaseEndpoint."
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return ServerRefusedError(
            f"{host} refused the connection: nothing listens on that port. Check the port in "
            "ServerBaseEndpoint, the firewall, and that the license server is running."
        )
    if isinstance(error, httpx.ConnectError):
        return NetworkError(
            f"Could not connect to the license server {host}: {_summary(error)}. "
            "Check the internet connection and the firewall."
        )
    return ConnectionLostError(
        f"The connection to the license server {host} was lost: {_summary(error)}. "
        "Try again; if the problem persists, check for a firewall or proxy that cuts connections."
    )


def _tls_error(error: ssl.SSLError, host: str) -> TlsError:
    code = getattr(error, "verify_code", 0)
    if not isinstance(error, ssl.SSLCertVerificationError):
        return TlsError(
            f"Could not establish an encrypted connection to {host} "
            f"({error.reason or 'handshake failed'}). The port may not support TLS, or a proxy or "
            "firewall interferes. The license was not checked."
        )
    if code == _CERTIFICATE_EXPIRED:
        advice = "Its certificate has expired, or this computer's clock is ahead."
    elif code == _CERTIFICATE_NOT_YET_VALID:
        advice = "Its certificate is not valid yet: this computer's clock is probably behind."
    elif code in _WRONG_HOST_NAME:
        advice = "Its certificate is for another name: another server responds at this address."
    else:
        advice = (
            "Its certificate was issued by an authority that this computer does not trust. If a "
            "company proxy or antivirus software intercepts TLS, install its CA certificate or "
            "name it in the setting CaBundle."
        )
    return TlsError(
        f"The connection to {host} is not trusted ({error.verify_message}). {advice} "
        "The license was not checked."
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

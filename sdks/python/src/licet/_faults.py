"""Typed errors for failed calls, so that a network problem never looks like an invalid license."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Container, Iterator
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from licet._clock import Clock, read_clock
from licet._error_codes import error_for_code
from licet._transport import TransportReply
from licet.errors import (
    ApiKeyRefusedError,
    CaptivePortalError,
    ConfigurationError,
    ConnectionLostError,
    DnsError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    ServerRefusedError,
    ServerTimeoutError,
    ServerUnavailableError,
    TlsError,
    UnexpectedReplyError,
)

SUCCESS = frozenset({200})
_CERTIFICATE_EXPIRED = 10
_CERTIFICATE_NOT_YET_VALID = 9
_WRONG_HOST_NAME = frozenset({62, 64})


def network_error(error: Exception, url: str, *, trust_env: bool = True) -> LicetError:
    """Convert an exception that httpx raised for ``url`` to a typed error."""
    host = urlsplit(url).hostname or url
    causes = list(_cause_chain(error))
    proxy = proxy_for(url) if trust_env else None
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


def proxy_for(url: str) -> str | None:
    """The proxy that the environment configures for a URL, without its credentials."""
    parts = urlsplit(url)
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found or proxy_bypass(parts.netloc):
        return None
    proxy = urlsplit(found if "//" in found else f"//{found}")
    return f"{proxy.hostname}:{proxy.port}" if proxy.port else str(proxy.hostname)


def reply_error(
    reply: TransportReply, url: str, clock: Clock, success: Container[int] = SUCCESS
) -> LicetError | None:
    """The typed error for a response; ``None`` if it is a success.

    A successful response contains a JSON object, except for 204, which has no body.
    """
    host = urlsplit(url).netloc.rpartition("@")[2]
    if reply.status in success and (reply.status == 204 or _json_object(reply) is not None):
        return None
    return _intermediary_error(reply, host) or _server_error(reply, host, clock)


def _intermediary_error(reply: TransportReply, host: str) -> LicetError | None:
    """The error for a response that comes from something between the client and the server."""
    if reply.status == 407:
        return ProxyError(
            "The proxy requires authentication (407). Add the user name and password to "
            f"HTTPS_PROXY, or exempt {host} from authentication."
        )
    html = "html" in reply.headers.get("content-type", "") or (
        reply.body[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    )
    if reply.status == 511 or 300 <= reply.status < 400 or (html and reply.status < 500):
        what = "a redirect" if 300 <= reply.status < 400 else "a web page"
        return CaptivePortalError(
            f"{what.capitalize()} came instead of a response from {host} (HTTP {reply.status}). "
            "Hotel and guest networks do this until you sign in: open a browser and sign in. "
            "Otherwise check that ServerBaseEndpoint is the API's address, with https if required, "
            "and that no web filter blocks it."
        )
    return None


def _server_error(reply: TransportReply, host: str, clock: Clock) -> LicetError:
    problem = _json_object(reply) or {}
    code = problem.get("errorCode")
    detail = problem.get("detail")
    attributes: dict[str, Any] = {
        "http_status": reply.status,
        "error_code": code if isinstance(code, str) else None,
        "request_id": request_id_of(reply),
        "retry_after": retry_after(reply, clock),
    }
    detail_suffix = (
        f" The server says: {detail[:300]}"
        if isinstance(detail, str) and detail.isprintable()
        else ""
    )
    if reply.status == 429:
        return RateLimitedError(
            f"The license server {host} received too many requests. Wait and try again."
            f"{detail_suffix}",
            **attributes,
        )
    if reply.status >= 500:
        return ServerUnavailableError(
            f"The license server {host} failed (HTTP {reply.status}). "
            f"Try again later.{detail_suffix}",
            **attributes,
        )
    if reply.status == 401 and code != "InvalidCredentials":
        return ApiKeyRefusedError(
            "The license server does not accept the product key. Check ProductApiKey; it may have "
            f"been rotated. The license was not checked.{detail_suffix}",
            **attributes,
        )
    if isinstance(code, str):
        return error_for_code(code, problem, detail_suffix, attributes)
    return UnexpectedReplyError(
        f"The response of {host} (HTTP {reply.status}) does not come from a license server. "
        "Check that ServerBaseEndpoint is the API's address.",
        **attributes,
    )


def retry_after(reply: TransportReply, clock: Clock) -> float | None:
    """The seconds in Retry-After, which may contain seconds or a date."""
    text = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    now = read_clock(clock)
    return max(0.0, (moment - now).total_seconds()) if moment.tzinfo else None


def request_id_of(reply: TransportReply) -> str | None:
    """The request ID of a response, if it is well-formed."""
    value = reply.headers.get("x-request-id", "")
    return value if re.fullmatch(r"[\w.:-]{1,128}", value, re.ASCII) else None


def read_reply(reply: TransportReply) -> dict[str, Any]:
    """The JSON object of a successful response, with fractions as exact decimals."""
    return _json_object(reply) or {}


def _json_object(reply: TransportReply) -> dict[str, Any] | None:
    try:
        value = json.loads(reply.body, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


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

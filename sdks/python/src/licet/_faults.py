"""Names the cause of a failed exchange, so that no network fault reads as a bad license."""

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
    """The typed error for what httpx raised while asking ``url``."""
    host = urlsplit(url).hostname or url
    causes = list(_cause_chain(error))
    proxy = proxy_for(url) if trust_env else None
    tls = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    if isinstance(error, httpx.ProxyError):
        return ProxyError(
            f"The proxy {proxy or ''} would not connect to {host}: {_summary(error)}. Check the "
            "proxy settings (HTTPS_PROXY, NO_PROXY), its sign-in, and that it allows this address."
        )
    if tls is not None:
        return _tls_error(tls, host)
    if isinstance(error, httpx.TimeoutException):
        return ServerTimeoutError(
            f"The license server {host} did not answer in time. "
            "Check the connection and try again; a firewall may drop the traffic silently."
        )
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
        address = url.partition("?")[0]
        return ConfigurationError(f"The address of the license server is not usable: {address}")
    if isinstance(error, httpx.ConnectError) and proxy is not None:
        return ProxyError(
            f"The proxy {proxy} cannot be reached on the way to {host}: {_summary(error)}. "
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
            f"{host} refused the connection: nothing answers at that port. Check the port in "
            "ServerBaseEndpoint, the firewall, and that the license server is running."
        )
    if isinstance(error, httpx.ConnectError):
        return NetworkError(
            f"No connection to the license server {host}: {_summary(error)}. "
            "Check the internet connection and the firewall."
        )
    return ConnectionLostError(
        f"The connection to the license server {host} broke off: {_summary(error)}. "
        "Try again; if it stays so, look for a firewall or proxy that cuts connections."
    )


def _tls_error(error: ssl.SSLError, host: str) -> TlsError:
    code = getattr(error, "verify_code", 0)
    if not isinstance(error, ssl.SSLCertVerificationError):
        return TlsError(
            f"No encrypted connection to {host} ({error.reason or 'handshake failed'}). The port "
            "may not speak TLS, or a proxy or firewall interferes. The license was not examined."
        )
    if code == _CERTIFICATE_EXPIRED:
        advice = "Its certificate has expired, or this computer's clock is ahead."
    elif code == _CERTIFICATE_NOT_YET_VALID:
        advice = "Its certificate is not valid yet: this computer's clock is probably behind."
    elif code in _WRONG_HOST_NAME:
        advice = "Its certificate is for another name: somebody else answers at this address."
    else:
        advice = (
            "Its certificate comes from an issuer that this computer does not trust. A company "
            "proxy or an antivirus that intercepts TLS does this: have its CA certificate "
            "installed, or name it in the setting CaBundle."
        )
    return TlsError(
        f"The connection to {host} is not trusted ({error.verify_message}). {advice} "
        "The license was not examined."
    )


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address, without its credentials."""
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
    """The typed error that an answer stands for; ``None`` when it is one of the good ones.

    A good one carries JSON to be read, except for 204, which has nothing to say.
    """
    host = urlsplit(url).netloc.rpartition("@")[2]
    if reply.status in success and (reply.status == 204 or _json_object(reply) is not None):
        return None
    return _intermediary_error(reply, host) or _server_error(reply, host, clock)


def _intermediary_error(reply: TransportReply, host: str) -> LicetError | None:
    """Somebody between here and the server, told by what no license server says."""
    if reply.status == 407:
        return ProxyError(
            "The proxy asks for a sign-in (407). Put user and password into HTTPS_PROXY, or have "
            f"{host} excepted from authentication."
        )
    html = "html" in reply.headers.get("content-type", "") or (
        reply.body[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    )
    if reply.status == 511 or 300 <= reply.status < 400 or (html and reply.status < 500):
        what = "a redirect" if 300 <= reply.status < 400 else "a web page"
        return CaptivePortalError(
            f"{what.capitalize()} came instead of an answer from {host} (HTTP {reply.status}). "
            "Networks of hotels and guests do this until one signs in: open a browser and sign in. "
            "Otherwise check that ServerBaseEndpoint is the API's address, with https if it needs "
            "that, and that no filter blocks it."
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
        f" It says: {detail[:300]}" if isinstance(detail, str) and detail.isprintable() else ""
    )
    if reply.status == 429:
        return RateLimitedError(
            f"The license server {host} is asked too often. Wait and try again.{detail_suffix}",
            **attributes,
        )
    if reply.status >= 500:
        return ServerUnavailableError(
            f"The license server {host} has a fault of its own (HTTP {reply.status}). "
            f"Try again later.{detail_suffix}",
            **attributes,
        )
    if reply.status == 401:
        return ApiKeyRefusedError(
            "The license server does not accept the product API key. Check ProductApiKey; it may "
            f"have been rotated. The license was not examined.{detail_suffix}",
            **attributes,
        )
    if isinstance(code, str):
        return error_for_code(code, problem, detail_suffix, attributes)
    return UnexpectedReplyError(
        f"{host} answered with HTTP {reply.status} in a way that no license server does. "
        "Check that ServerBaseEndpoint is the API's address.",
        **attributes,
    )


def retry_after(reply: TransportReply, clock: Clock) -> float | None:
    """Seconds that the server asks to wait, in either form that HTTP allows."""
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
    """The id to quote to support, if it is a sane one."""
    value = reply.headers.get("x-request-id", "")
    return value if re.fullmatch(r"[\w.:-]{1,128}", value, re.ASCII) else None


def read_reply(reply: TransportReply) -> dict[str, Any]:
    """The JSON object of an answer that carries no fault; numbers with a fraction are exact."""
    return _json_object(reply) or {}


def _json_object(reply: TransportReply) -> dict[str, Any] | None:
    try:
        value = json.loads(reply.body, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _cause_chain(error: BaseException) -> Iterator[BaseException]:
    """The error and all that led to it; event loops wrap several attempts in a group."""
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

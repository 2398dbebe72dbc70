"""Typed errors for responses, so that a network problem never looks like an invalid license."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from licet._clock import Clock, read_clock
from licet._error_codes import error_for_code
from licet._transport import TransportReply
from licet._wording import english
from licet.errors import (
    ApiKeyRefusedError,
    CaptivePortalError,
    LicetError,
    ProxyError,
    RateLimitedError,
    ServerUnavailableError,
    UnexpectedReplyError,
)

SUCCESS = frozenset({200})
# The only responses with 401 that are not about the product key.
_REFUSALS = frozenset({"InvalidCredentials", "EnrollmentKeyInvalid"})
CHECK_ADDRESS = "Check that ServerBaseEndpoint is the API's address."


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
            "The proxy of this computer wants a user name and a password. Ask your administrator.",
            hint="The proxy requires authentication (407). Add the user name and password to "
            f"HTTPS_PROXY, or exempt {host} from authentication.",
        )
    html = "html" in reply.headers.get("content-type", "") or (
        reply.body[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    )
    if reply.status == 511 or 300 <= reply.status < 400 or (html and reply.status < 500):
        what = "a redirect" if 300 <= reply.status < 400 else "a web page"
        return CaptivePortalError(
            english("CaptivePortal"),
            hint=f"{host} responded with {what} (HTTP {reply.status}). {CHECK_ADDRESS} It needs "
            "https if the server requires it, and no web filter may block it.",
        )
    return None


def _server_error(reply: TransportReply, host: str, clock: Clock) -> LicetError:
    problem = _json_object(reply) or {}
    code = problem.get("errorCode")
    detail = problem.get("detail")
    said = detail[:300] if isinstance(detail, str) and detail.isprintable() else ""
    attributes: dict[str, Any] = {
        "http_status": reply.status,
        "error_code": code if isinstance(code, str) else None,
        "request_id": request_id_of(reply),
        "retry_after": retry_after(reply, clock),
    }
    response = f"{host} responded with HTTP {reply.status}{f': {said}' if said else '.'}"
    if reply.status == 429:
        wait = attributes["retry_after"]
        message = english("RateLimited", retryAfterSeconds=math.ceil(wait) if wait else None)
        return RateLimitedError(message, hint=response, **attributes)
    if reply.status >= 500:
        return ServerUnavailableError(english("ServerUnavailable"), hint=response, **attributes)
    if reply.status == 401 and code not in _REFUSALS:
        return ApiKeyRefusedError(
            english("ApiKeyRefused"),
            hint=f"{response} Check ProductApiKey; it may have been rotated.",
            **attributes,
        )
    if isinstance(code, str):
        return error_for_code(code, problem, said, attributes)
    return UnexpectedReplyError(
        english("UnexpectedReply"),
        hint=f"{response} {CHECK_ADDRESS}",
        **attributes,
    )


def retry_after(reply: TransportReply, clock: Clock) -> float | None:
    """The seconds in Retry-After, which may contain seconds or a date."""
    text = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    if not text:
        return None
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - loads sockets

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

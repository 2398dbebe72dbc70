"""The outermost layer: request id, client address, path case, headers, metrics, access log."""

import logging
import time
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from licet_server.kit.clock import go_by
from licet_server.kit.errors import bad_field
from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.limits import record_allowances_in, tightest
from licet_server.kit.metrics import HttpMetrics
from licet_server.kit.platform import Platform
from licet_server.kit.web import admission
from licet_server.kit.web.admission import give_places_back
from licet_server.kit.web.context import RequestContext, new_context, store_context
from licet_server.kit.web.cross_origin import CrossOrigin, Headers
from licet_server.kit.web.heads import combined
from licet_server.kit.web.paths import METHODS, PathFolder
from licet_server.kit.web.problems import refuse

_NAME_MAX = 100
"""So much of the name of a parameter is repeated in the answer."""

_SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_API_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_NO_STORE = (b"cache-control", b"no-store")
_HSTS = (b"strict-transport-security", b"max-age=31536000")


class RequestMiddleware:
    """Wraps the application and handles every response, including those of unknown routes."""

    def __init__(
        self,
        app: ASGIApp,
        platform: Platform,
        folder: PathFolder,
        metrics: HttpMetrics,
        cross_origin: CrossOrigin,
        queue: FairQueue,
    ) -> None:
        self._app = app
        self._platform = platform
        self._folder = folder
        self._metrics = metrics
        self._cross_origin = cross_origin
        self._queue = queue
        # Bind once; structlog would rebind on every call.
        self._log = structlog.get_logger("licet.access").bind()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        headers = _headers_of(scope)
        context = new_context(scope, headers, self._platform)
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        if method == "HEAD":
            # Every GET route handles HEAD; the server sends only the headers.
            scope = {**scope, "method": "GET"}
        store_context(scope, context)
        self._fold_path(scope)
        status = 500
        readable = self._cross_origin.headers(scope["path"], method)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # Its body may take the client hours.
                admission.give_back(self._queue, context)
                _add_headers(message, context, readable)
            await send(message)

        go_by(None)
        try:
            preflight = None
            if method == "OPTIONS":
                preflight = self._cross_origin.preflight(scope["path"], headers)
            if preflight is not None:
                await _respond_to_preflight(send_with_headers, preflight)
            elif scope["query_string"] and b"\0" in unquote_to_bytes(scope["query_string"]):
                field = _parameter_with_nul(scope["query_string"])
                refused = bad_field(field, "must not contain a NUL character.")
                await refuse(send_with_headers, refused, context)
            else:
                record_allowances_in(context.allowances)
                await self._app(scope, receive, send_with_headers)
        finally:
            admission.give_back(self._queue, context)
            give_places_back(context)
            go_by(None)
            seconds = time.perf_counter() - started
            route = scope.get("path_template") or "unknown"
            self._metrics.observe(method, route, status, seconds)
            if context.refused_as is not None:
                self._metrics.count_problem(context.refused_as)
            if self._log.is_enabled_for(logging.DEBUG):
                self._log.debug(
                    "request",
                    method=method,
                    route=route,
                    status=status,
                    milliseconds=round(seconds * 1000, 1),
                    request_id=context.request_id,
                )

    def _fold_path(self, scope: Scope) -> None:
        path = self._folder.fold(scope["path"])
        if path != scope["path"]:
            scope["path"] = path
            scope["raw_path"] = path.encode()


def _parameter_with_nul(query: bytes) -> str:
    """Return the name of the first parameter whose value has a NUL, else `query`."""
    given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    found = (name for name, value in given if "\0" in value and "\0" not in name)
    return next(found, "query")[:_NAME_MAX]


def _headers_of(scope: Scope) -> dict[bytes, bytes]:
    """Return the headers by name, the same that all others find who read them in the scope."""
    given: Any = scope["headers"]
    headers: dict[bytes, bytes] = dict(given)
    if len(headers) != len(given):
        headers = combined(given)
        scope["headers"] = list(headers.items())
    return headers


def _add_headers(message: Message, context: RequestContext, readable: Headers) -> None:
    given: Any = message.get("headers", ())
    headers = [
        *given,
        (b"x-request-id", context.request_id.encode()),
        *_SECURITY_HEADERS,
        *readable,
    ]
    present = {name.lower() for name, _ in given}
    if _API_POLICY[0] not in present:
        headers.append(_API_POLICY)
    if _NO_STORE[0] not in present:
        headers.append(_NO_STORE)
    if context.secure:
        headers.append(_HSTS)
    if context.allowances:
        headers.extend(_rate_limit_headers(context))
    message["headers"] = headers  # type: ignore[typeddict-unknown-key]


def _rate_limit_headers(context: RequestContext) -> list[tuple[bytes, bytes]]:
    """Return the headers of the tightest limit."""
    left = tightest(context.allowances)
    if left is None:
        return []
    return [
        (b"ratelimit-limit", b"%d" % left.limit),
        (b"ratelimit-remaining", b"%d" % left.remaining),
        (b"ratelimit-reset", b"%d" % left.reset),
    ]


async def _respond_to_preflight(send: Send, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})

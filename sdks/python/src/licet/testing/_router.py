"""Routing of transport requests: product key, body, route, problem documents."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from licet._transport import TransportReply, TransportRequest
from licet.testing._device_proofs import require_proof, shown_key
from licet.testing._devices import activate, deactivate
from licet.testing._fleet import RELEASE, enroll, is_release, list_devices, release
from licet.testing._json import to_json
from licet.testing._leases import (
    LEASES,
    RENEW,
    REPORT,
    RETURN,
    borrow,
    give_back,
    lease_pattern,
    renew,
    report,
)
from licet.testing._messages import Request, Response
from licet.testing._metering import balance, consume
from licet.testing._offline import ANSWER, REQUESTS, answer, preview
from licet.testing._problems import (
    HTTP_STATUS,
    Refused,
    bad_fields,
    problem_document,
    problem_headers,
)
from licet.testing._sessions import connect, disconnect, heartbeat
from licet.testing._state import State
from licet.testing._telemetry import telemetry
from licet.testing._test_clocks import (
    ADVANCE,
    CLOCK,
    CLOCKS,
    advance_clock,
    create_clock,
    delete_clock,
    list_clocks,
    pattern_of,
    show_clock,
)
from licet.testing._updates import DOWNLOADS, download, latest
from licet.testing._validation import derive_key, refresh, validate

PREFIX = "/api"
Route = Callable[[State, Request], Response]

ROUTES: Mapping[str, Mapping[str, Route]] = {
    "/licenses/validate": {"POST": validate},
    "/licenses/refresh": {"POST": refresh},
    "/security/derive-key": {"POST": derive_key},
    "/activations": {"GET": list_devices, "POST": activate},
    "/activations/enroll": {"POST": enroll},
    RELEASE: {"POST": release},
    "/activations/current": {"DELETE": deactivate},
    "/sessions/connect": {"POST": connect},
    "/sessions/heartbeat": {"POST": heartbeat},
    "/sessions/disconnect": {"POST": disconnect},
    LEASES: {"POST": borrow},
    RENEW: {"POST": renew},
    REPORT: {"POST": report},
    RETURN: {"POST": give_back},
    REQUESTS: {"POST": preview},
    ANSWER: {"POST": answer},
    "/meter/consume": {"POST": consume},
    "/meter/balance": {"GET": balance},
    "/telemetry": {"POST": telemetry},
    "/updates/latest": {"GET": latest},
    DOWNLOADS: {"GET": download},
    CLOCKS: {"GET": list_clocks, "POST": create_clock},
    CLOCK: {"GET": show_clock, "DELETE": delete_clock},
    ADVANCE: {"POST": advance_clock},
}
TELEMETRY_BYTES = 64 * 1024
# The fake has no accounts: anybody may do what is an operator's.
_OF_OPERATORS = frozenset({list_clocks, create_clock, show_clock, delete_clock, advance_clock})
_WITHOUT_PRODUCT_KEY = _OF_OPERATORS | {derive_key, download, preview, answer}
# They prove themselves by what they bring.
_WITHOUT_PROOF = frozenset({validate, preview, answer})
_SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def respond(state: State, request: TransportRequest) -> TransportReply:
    """Return the server's response to a request. Header names are case-insensitive."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    requested_id = headers.get("x-request-id", "")
    request_id = requested_id if _SANE_REQUEST_ID.fullmatch(requested_id) else secrets.token_hex(16)
    try:
        with state.lock:
            response = _process(state, request, headers, request_id)
    except Refused as refused:
        return refusal_reply(refused, request_id)
    if response.content is None:
        headers_sent = {"x-request-id": request_id, **response.headers}
        return TransportReply(response.status, headers_sent, response.raw)
    return _json_reply(response.status, "application/json", response.content, request_id)


def refusal_reply(refused: Refused, request_id: str) -> TransportReply:
    """The response for a refusal: a problem document."""
    document = problem_document(refused, request_id)
    kind = "application/problem+json"
    return _json_reply(
        HTTP_STATUS[refused.code], kind, document, request_id, **problem_headers(refused)
    )


def path_of(url: str) -> str:
    """The path of a URL below the base address, in lower case."""
    path = urlsplit(url).path.lower()
    return path.removeprefix(PREFIX) if path.startswith(f"{PREFIX}/") else path


def body_of(request: TransportRequest) -> dict[str, Any] | None:
    """The JSON object of a request, from its body or, without a body, its query string."""
    if not request.body:
        return dict(parse_qsl(urlsplit(request.url).query))
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _process(
    state: State, request: TransportRequest, headers: Mapping[str, str], request_id: str
) -> Response:
    path = path_of(request.url)
    methods = ROUTES.get(_pattern_of(path))
    if methods is None:
        raise Refused("NotFound")
    route = methods.get(request.method)
    if route is None:
        raise Refused("MethodNotAllowed")
    if (
        route not in _WITHOUT_PRODUCT_KEY
        and headers.get("x-api-key", "").strip() != state.product.api_key
    ):
        raise Refused("Unauthorized")
    if route is telemetry and len(request.body) > TELEMETRY_BYTES:
        raise Refused("PayloadTooLarge")
    body = _read_body(request, headers)
    parts = urlsplit(request.url)
    base = f"{parts.scheme}://{parts.netloc}{PREFIX}"
    has_body = bool(request.body)
    jkt = shown_key(headers)
    asked = Request(body, request_id, state.now, base, path, headers, has_body, jkt)
    if route not in _WITHOUT_PROOF:
        require_proof(state, asked)
    return route(state, asked)


def _pattern_of(path: str) -> str:
    if path.startswith(DOWNLOADS):
        return DOWNLOADS
    return RELEASE if is_release(path) else lease_pattern(path) or pattern_of(path)


def _read_body(request: TransportRequest, headers: Mapping[str, str]) -> dict[str, Any]:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    in_query = request.method in {"DELETE", "GET"} and not request.body
    if not in_query and kind != "application/json" and not kind.endswith("+json"):
        raise Refused("UnsupportedMediaType")
    body = body_of(request) if request.body or in_query else None
    if body is None:
        raise bad_fields([("", "must be a JSON object.")])
    return body


def _json_reply(
    status: int, kind: str, content: Mapping[str, Any], request_id: str, **headers: str
) -> TransportReply:
    headers_sent = {"content-type": kind, "cache-control": "no-store", "x-request-id": request_id}
    return TransportReply(status, {**headers_sent, **headers}, to_json(content).encode())

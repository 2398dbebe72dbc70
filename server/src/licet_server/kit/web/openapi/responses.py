"""The problems that an operation can answer with, declared by status and code.

Most follow from the operation itself: who may call it, whether it takes parameters or a body. A
handler adds its own with `problems=(ErrorCode..., ...)` in its decorator.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from litestar.handlers import HTTPRouteHandler

from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.access import declared_access, declared_step_up
from licet_server.kit.web.problems import MEANING, PROBLEM_JSON, STATUS

Operation = dict[str, Any]
_TYPED = frozenset(
    {"application/json", "application/octet-stream", "text/csv", "text/event-stream", "text/plain"}
)
_REFERENCE = {"$ref": "#/components/schemas/Problem"}

RATE_LIMIT_HEADERS: Mapping[str, str] = {
    "RateLimit-Limit": "Requests that the limit allows in its period.",
    "RateLimit-Remaining": "Requests that are left in the period.",
    "RateLimit-Reset": "Seconds until the period ends.",
}
"""Sent with every response that a rate limit applies to, refusals or not."""


def declare_problems(operation: Operation, handler: HTTPRouteHandler) -> None:
    """Replace the framework's generic refusals by those that this operation can answer with.

    A response that the handler declares itself stays.
    """
    by_status: defaultdict[int, list[ErrorCode]] = defaultdict(list)
    for code in sorted(set(_codes(operation, handler)), key=list(ErrorCode).index):
        by_status[STATUS[code]].append(code)
    responses = operation["responses"]
    responses.pop("400", None)
    for response in responses.values():
        _leave_untyped(response)
    for status, codes in sorted(by_status.items()):
        responses.setdefault(str(status), _response(codes))


def declared_codes(operation: Mapping[str, Any]) -> set[str]:
    """Return the error codes that an operation of a finished document declares."""
    return {
        code
        for response in operation["responses"].values()
        for code in response.get("content", {}).get(PROBLEM_JSON, {}).get("examples", {})
    }


def _leave_untyped(response: dict[str, Any]) -> None:
    """Name a media type that client generators cannot type in the description instead."""
    untyped = [kind for kind in response.get("content", {}) if kind not in _TYPED]
    for kind in untyped:
        del response["content"][kind]
        response["description"] = f"The content, sent as `{kind}`."
    if untyped and not response["content"]:
        del response["content"]


def _codes(operation: Operation, handler: HTTPRouteHandler) -> Iterator[ErrorCode]:
    yield from (ErrorCode.INVALID_REQUEST, ErrorCode.INTERNAL_ERROR, ErrorCode.UNAVAILABLE)
    access = declared_access(handler)
    parameters = operation.get("parameters", [])
    if access is not None and access.security is not None:
        yield from (ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED)
        if access.security == "operatorToken":
            yield from (ErrorCode.FORBIDDEN, ErrorCode.SSO_REQUIRED)
    if declared_step_up(handler) is not None:
        yield ErrorCode.STEP_UP_REQUIRED
    if any(parameter["in"] == "path" for parameter in parameters):
        yield ErrorCode.NOT_FOUND
    if "requestBody" in operation:
        yield from (ErrorCode.PAYLOAD_TOO_LARGE, ErrorCode.UNSUPPORTED_MEDIA_TYPE)
    if any(parameter["name"] == "Idempotency-Key" for parameter in parameters):
        yield ErrorCode.IDEMPOTENCY_KEY_REUSED
    yield from handler.opt.get("problems", ())


def _response(codes: list[ErrorCode]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": "\n\n".join(f"`{code}`: {MEANING[code]}" for code in codes),
        "content": {
            PROBLEM_JSON: {
                "schema": _REFERENCE,
                "examples": {
                    code.value: {"$ref": f"#/components/examples/{code}"} for code in codes
                },
            }
        },
    }
    if ErrorCode.RATE_LIMITED in codes:
        described["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT_HEADERS
        }
    return described


def problem_examples() -> dict[str, Any]:
    """Return an example of a problem for each error code."""
    return {code.value: {"value": _problem(STATUS[code], code)} for code in ErrorCode}


def _problem(status: int, code: ErrorCode) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": MEANING[code],
        "errorCode": code.value,
        "success": False,
        "requestId": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
        "errors": [],
    }

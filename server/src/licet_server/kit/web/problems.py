"""Errors on the wire: RFC 9457 problem documents; here each code gets its one HTTP status."""

import re
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_413_REQUEST_ENTITY_TOO_LARGE
from litestar.types import HTTPScope, Send
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from licet_server.kit.coalesce import CoalescerClosed, QueueFull
from licet_server.kit.errors import (
    ErrorCode,
    FieldError,
    Refused,
    bad_fields,
    node_away,
    outcome_unknown,
    unavailable,
)
from licet_server.kit.files import FilesUnavailable
from licet_server.kit.outages import OutcomeUnknown, is_node_lost, is_unavailable, sqlstate_of
from licet_server.kit.text import camel
from licet_server.kit.web.context import RequestContext, context_of, stored_context
from licet_server.kit.web.paths import with_head
from licet_server.kit.web.validation_messages import field_error, parameter_of

_READING = {"GET", "HEAD"}

_PROBLEMS: dict[ErrorCode, tuple[int, str]] = {
    ErrorCode.INVALID_REQUEST: (
        400,
        "Malformed JSON, or a missing or bad field; `errors` names each.",
    ),
    ErrorCode.LICENSE_INVALID: (400, "The license is revoked or suspended."),
    ErrorCode.LICENSE_EXPIRED: (400, "The term of the license has ended."),
    ErrorCode.NOT_METERED_LICENSE: (400, "The license is neither Usage-Based nor Credit-Based."),
    ErrorCode.WALLET_NOT_FOUND: (400, "The metered license has lost its wallet; repair it."),
    ErrorCode.UNAUTHORIZED: (401, "The credential is missing, malformed, expired or revoked."),
    ErrorCode.INVALID_CREDENTIALS: (401, "The email address, username or password is wrong."),
    ErrorCode.OTP_REQUIRED: (401, "A code of the second factor is needed."),
    ErrorCode.INSUFFICIENT_BALANCE: (
        402,
        "The balance is lower than the cost; nothing was charged.",
    ),
    ErrorCode.PLAN_LIMIT_REACHED: (402, "The plan of the institution allows no more."),
    ErrorCode.FORBIDDEN: (403, "The role, scope or IP address does not allow it."),
    ErrorCode.SSO_REQUIRED: (403, "This institution signs in through its own identity provider."),
    ErrorCode.STEP_UP_REQUIRED: (
        403,
        "Hard to undo; `POST /api/auth/step-up` first, and try again.",
    ),
    ErrorCode.DEVICE_BLOCKED: (403, "The vendor blocked this device."),
    ErrorCode.HARDWARE_MISMATCH: (403, "The license is bound to another machine."),
    ErrorCode.HARDWARE_ID_NOT_ACCEPTED: (403, "The product accepts no hardware IDs of this kind."),
    ErrorCode.DEVICE_PROOF_REQUIRED: (403, "The request does not prove the key of its device."),
    ErrorCode.TRIAL_ALREADY_USED: (403, "This device had another Trial of the product."),
    ErrorCode.ENROLLMENT_KEY_INVALID: (
        401,
        "The enrollment key enrolls no device; `detail` says why.",
    ),
    ErrorCode.PENDING_APPROVAL: (403, "The product owner has not approved this device yet."),
    ErrorCode.ACTIVATION_REQUIRED: (403, "This device holds no seat; activate it first."),
    ErrorCode.FEATURE_NOT_ENTITLED: (403, "The license does not include this feature."),
    ErrorCode.NOT_FOUND: (404, "It does not exist, or is not visible to the caller."),
    ErrorCode.LICENSE_NOT_FOUND: (404, "No license of this product has this key."),
    ErrorCode.ACTIVATION_NOT_FOUND: (404, "This device holds no seat."),
    ErrorCode.SESSION_NOT_FOUND: (404, "The session has ended; connect again."),
    ErrorCode.LEASE_NOT_FOUND: (404, "This device has no such lease, or it has ended."),
    ErrorCode.METHOD_NOT_ALLOWED: (405, "The route does not support this method."),
    ErrorCode.CONFLICT: (409, "A unique name is taken, or the state does not allow the action."),
    ErrorCode.KEYS_NOT_GENERATED: (409, "The product has no RSA keys yet; generate them first."),
    ErrorCode.MAX_ACTIVATIONS_REACHED: (
        409,
        "All seats are taken; see `seatsUsed`, `seatsTotal` and `canRelease`.",
    ),
    ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED: (409, "All seats of the pool are in use."),
    ErrorCode.LEASE_LIMIT_REACHED: (
        409,
        "The seat or the credits cannot be taken away, or not so long.",
    ),
    ErrorCode.LEASE_FORKED: (
        409,
        "The lease was also used from a copy of the device's data folder.",
    ),
    ErrorCode.OFFLINE_ACTIVATION_NOT_ALLOWED: (
        403,
        "The vendor does not answer offline requests here.",
    ),
    ErrorCode.OFFLINE_REQUEST_OUTDATED: (409, "The machine has made a newer offline request."),
    ErrorCode.CONCURRENCY_CONFLICT: (409, "Another request came first; retry with the same key."),
    ErrorCode.PAYLOAD_TOO_LARGE: (413, "The request body is too large."),
    ErrorCode.UNSUPPORTED_MEDIA_TYPE: (
        415,
        "The request body has another media type than expected.",
    ),
    ErrorCode.RANGE_NOT_SATISFIABLE: (416, "The requested range lies outside the file."),
    ErrorCode.IDEMPOTENCY_KEY_REUSED: (422, "The idempotency key was used for another request."),
    ErrorCode.PRICING_NOT_CONFIGURED: (422, "The feature has no active token price."),
    ErrorCode.RATE_LIMITED: (429, "Too many requests; retry after `Retry-After` seconds."),
    ErrorCode.INTERNAL_ERROR: (500, "A fault of the server; report the request id if it persists."),
    ErrorCode.UNAVAILABLE: (503, "Overloaded, starting, or the database is away; retry later."),
    ErrorCode.CLOCK_NOT_TRUSTED: (
        503,
        "The clock of the server jumped; nothing is signed until then.",
    ),
}
"""The status of each code, and what it means, for the API document."""

STATUS = {code: status for code, (status, _) in _PROBLEMS.items()}
MEANING = {code: meaning for code, (_, meaning) in _PROBLEMS.items()}

PROBLEM_JSON = "application/problem+json"
BODY_NEEDED = FieldError("", "The request needs a JSON body.")

_log = structlog.get_logger("licet.web")
_encoder = msgspec.json.Encoder(decimal_format="number")
_MISSING = re.compile(r"Missing required \w+ parameter '([^']+)'")
_CODE_OF_STATUS = {status: code for code, status in reversed(STATUS.items())}
"""The framework's own refusals take the first code of their status in the table above."""


class Problem(msgspec.Struct, rename="camel"):
    """A refusal as the API documents it; some codes add members such as `seatsUsed`."""

    type: str
    title: str
    status: int
    detail: str
    error_code: ErrorCode
    success: bool
    request_id: str
    errors: list[FieldError]


def problem_document(refused: Refused, request_id: str) -> tuple[int, bytes]:
    """Status and body for a refusal."""
    status = STATUS[refused.code]
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": refused.detail,
        "errorCode": refused.code,
        "success": False,
        "requestId": request_id,
        "errors": refused.errors,
        **refused.extra,
    }
    return status, _encoder.encode(document)


def problem_headers(refused: Refused) -> dict[str, str]:
    """Return the headers that go with a refusal."""
    headers: dict[str, str] = {}
    if refused.retry_after is not None:
        headers["retry-after"] = str(refused.retry_after)
    if STATUS[refused.code] == 401:
        headers["www-authenticate"] = "Bearer"
    return headers


async def refuse(send: Send, refused: Refused, context: RequestContext) -> None:
    """Send a refusal as the response of a plain ASGI application."""
    context.refused_as = refused.code
    status, body = problem_document(refused, context.request_id)
    headers = [
        (b"content-type", PROBLEM_JSON.encode()),
        (b"content-length", b"%d" % len(body)),
        *((name.encode(), text.encode()) for name, text in problem_headers(refused).items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def problem_response(request: Request[Any, Any, Any], refused: Refused) -> Response[bytes]:
    """Return the HTTP response for a refusal."""
    context = context_of(request)
    context.refused_as = refused.code
    status, body = problem_document(refused, context.request_id)
    return Response(
        body, status_code=status, media_type=PROBLEM_JSON, headers=problem_headers(refused)
    )


def http_exception_response(
    request: Request[Any, Any, Any], error: HTTPException
) -> Response[bytes]:
    """Return the framework's own refusals, in our words and codes."""
    response = problem_response(request, _translate(request, error))
    if isinstance(error, MethodNotAllowedException) and error.headers:
        methods = with_head(error.headers["allow"].split(", "))
        response.headers["allow"] = ", ".join(sorted(methods))
    return response


def failure_response(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the HTTP response for any other exception."""
    return problem_response(request, refusal_of_failure(request.scope, error))


def refusal_of_failure(scope: HTTPScope, error: Exception) -> Refused:
    """Log an exception, and say what it means: 503 if the database is away or busy, else 500."""
    told = _log.bind(**_facts(scope, error))
    if isinstance(error, OutcomeUnknown) and scope["method"] not in _READING:
        told.warning("outcome_unknown")
        return outcome_unknown()
    if is_node_lost(error):
        told.warning("node_away", reason=str(getattr(error, "orig", error)))
        return node_away()
    if isinstance(error, (QueueFull, CoalescerClosed, PoolTimeout)) or is_unavailable(error):
        told.warning("unavailable", reason=type(error).__name__)
        return unavailable()
    if isinstance(error, FilesUnavailable):
        told.warning("files_unavailable", reason=str(error))
        return unavailable()
    if isinstance(error, DBAPIError) and _is_bad_text(error):
        return _unstorable_text()
    told.error("request_failed", error=type(error).__name__, exc_info=_loggable(error))
    detail = "Something failed on our side. Try again; if it stays, report the request id."
    return Refused(ErrorCode.INTERNAL_ERROR, detail)


def body_too_large() -> Refused:
    """Refuse a body above the limit of the service."""
    return Refused(ErrorCode.PAYLOAD_TOO_LARGE, "The request body is too large. Send less.")


def _facts(scope: HTTPScope, error: Exception) -> dict[str, str]:
    """Return what the log says of a failure: request, route, and state of the database."""
    facts = {
        "request_id": stored_context(scope).request_id,
        "method": scope["method"],
        "route": scope.get("path_template") or "unknown",
    }
    state = sqlstate_of(error)
    return facts if state is None else {**facts, "sqlstate": state}


def _loggable(error: Exception) -> Exception:
    # Statement parameters may hold secrets; the type and the statement's place are enough.
    if isinstance(error, SQLAlchemyError):
        error.hide_parameters = True  # type: ignore[attr-defined]
    return error


def _is_bad_text(error: DBAPIError) -> bool:
    return isinstance(error.orig, UnicodeError) or isinstance(error.__cause__, UnicodeError)


def _unstorable_text() -> Refused:
    return Refused(ErrorCode.INVALID_REQUEST, "A text holds characters that cannot be stored.")


def _translate(request: Request[Any, Any, Any], error: HTTPException) -> Refused:
    if isinstance(error, ValidationException):
        return bad_fields(
            _field_errors(request, error) or [FieldError("", "The request is malformed.")]
        )
    if isinstance(error, NotFoundException):
        return Refused(
            ErrorCode.NOT_FOUND,
            f"There is no route {request.scope['path'][:200]}. See /api/docs for those there are.",
        )
    if isinstance(error, MethodNotAllowedException):
        return Refused(
            ErrorCode.METHOD_NOT_ALLOWED,
            f"This route does not take {request.method}. See /api/docs for what it takes.",
        )
    if error.status_code == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        return body_too_large()
    if isinstance(error, ClientException):
        code = _CODE_OF_STATUS.get(error.status_code, ErrorCode.INVALID_REQUEST)
        return Refused(code, "The request is malformed. See /api/docs for what this route takes.")
    code = ErrorCode.UNAVAILABLE if error.status_code == 503 else ErrorCode.INTERNAL_ERROR
    return Refused(code, "Something failed on our side. Try again.")


def _field_errors(request: Request[Any, Any, Any], error: ValidationException) -> list[FieldError]:
    missing = _MISSING.match(error.detail)
    if missing is not None:
        return [FieldError(missing[1], "is required.")]
    extra = error.extra if isinstance(error.extra, list) else []
    if any(item == {"message": "'data'"} or item.get("key") == "data" for item in extra):
        return [BODY_NEEDED]
    return [_parameter_error(request, item) for item in extra if isinstance(item, dict)]


def _parameter_error(request: Request[Any, Any, Any], item: dict[str, Any]) -> FieldError:
    name = str(item.get("key", ""))
    handler = request.route_handler
    found = parameter_of(
        name, handler.parsed_fn_signature, handler.resolve_dependencies(), frozenset()
    )
    annotation, declared = (
        (Any, None) if found is None else (found.annotation, found.kwarg_definition)
    )
    wrong = field_error("", str(item.get("message", "")), annotation)
    sent_as = declared.name if isinstance(declared, QueryParameter) else None
    return FieldError(sent_as or camel(name.rstrip("_")), wrong.message)

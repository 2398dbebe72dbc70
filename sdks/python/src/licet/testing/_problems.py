"""What the fake refuses, each code with its one HTTP status, and the problem document of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

HTTP_STATUS: Mapping[str, int] = {
    "InvalidRequest": 400,
    "LicenseInvalid": 400,
    "LicenseExpired": 400,
    "NotMeteredLicense": 400,
    "Unauthorized": 401,
    "InvalidCredentials": 401,
    "InsufficientBalance": 402,
    "DeviceBlocked": 403,
    "FeatureNotEntitled": 403,
    "HardwareMismatch": 403,
    "PendingApproval": 403,
    "ActivationRequired": 403,
    "NotFound": 404,
    "LicenseNotFound": 404,
    "ActivationNotFound": 404,
    "SessionNotFound": 404,
    "MethodNotAllowed": 405,
    "Conflict": 409,
    "ConcurrencyConflict": 409,
    "MaxActivationsReached": 409,
    "MaxConcurrentSessionsReached": 409,
    "UnsupportedMediaType": 415,
    "RangeNotSatisfiable": 416,
    "IdempotencyKeyReused": 422,
    "PricingNotConfigured": 422,
    "RateLimited": 429,
    "InternalError": 500,
    "Unavailable": 503,
}

_SENTENCES: Mapping[str, str] = {
    "LicenseInvalid": "The license is revoked or suspended. The vendor can say why.",
    "LicenseExpired": "The license has run out. It has to be renewed.",
    "NotMeteredLicense": "The license has no meter, so nothing can be charged to it.",
    "Unauthorized": "The header X-API-KEY carries no product key that is known here.",
    "InvalidCredentials": "User name and password do not fit the license.",
    "InsufficientBalance": "The balance is less than this costs, and stays as it is.",
    "FeatureNotEntitled": "The license does not grant this feature.",
    "DeviceBlocked": "The vendor has blocked this device.",
    "HardwareMismatch": "The license belongs to another machine.",
    "PendingApproval": "The vendor has yet to approve this device.",
    "ActivationRequired": "This device holds no seat. Activate it first.",
    "NotFound": "There is no such route.",
    "LicenseNotFound": "The product has no license with this key. Look for typing errors.",
    "ActivationNotFound": "This device is not registered, so there is no seat to give back.",
    "SessionNotFound": "The session is over or never was. Connect again.",
    "ConcurrencyConflict": "Somebody else charged the license just then. Try again.",
    "IdempotencyKeyReused": "The key was used before, for another feature or quantity.",
    "PricingNotConfigured": "The feature is unknown or has no price. The vendor has to set one.",
    "MethodNotAllowed": "The route does not take this method.",
    "MaxActivationsReached": "Every seat is taken by another device. One has to be freed first.",
    "MaxConcurrentSessionsReached": "Every seat is in use. Try again when somebody has left.",
    "UnsupportedMediaType": "The body has to be JSON, and Content-Type has to say so.",
    "RangeNotSatisfiable": "The file has no bytes in that range. Ask from its start.",
    "RateLimited": "That was too soon after the last time. Wait a little.",
    "InternalError": "The server made a mistake. Report the request id.",
    "Unavailable": "The server is busy or starting. Try again in a moment.",
}


class Refused(Exception):
    """The request is refused and nothing but records of it has changed.

    Attributes:
        errors: The bad fields with what is wrong with each.
        extra: Further members of the problem document.
        retry_after: Seconds.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        errors: Sequence[tuple[str, str]] = (),
        extra: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail or _SENTENCES[code]
        self.errors = tuple(errors)
        self.extra = dict(extra or {})
        self.retry_after = retry_after


def bad_fields(errors: Sequence[tuple[str, str]]) -> Refused:
    """The refusal that names every bad field."""
    first, message = errors[0]
    count = f" ({len(errors)} fields are wrong)" if len(errors) > 1 else ""
    return Refused("InvalidRequest", f"{first or 'The body'} {message}{count}", errors=errors)


def problem_document(refused: Refused, request_id: str) -> dict[str, Any]:
    """The members of an RFC 9457 document."""
    status = HTTP_STATUS[refused.code]
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": refused.detail,
        "errorCode": refused.code,
        "success": False,
        "requestId": request_id,
        "errors": [{"field": name, "message": message} for name, message in refused.errors],
        **refused.extra,
    }


def problem_headers(refused: Refused) -> dict[str, str]:
    """The headers that go with a refusal, names in lower case."""
    headers = {}
    if refused.retry_after is not None:
        headers["retry-after"] = str(refused.retry_after)
    if HTTP_STATUS[refused.code] == 401:
        headers["www-authenticate"] = "Bearer"
    return headers

"""Error codes of the fake with their HTTP statuses, and problem documents."""

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
    "EnrollmentKeyInvalid": 401,
    "InsufficientBalance": 402,
    "DeviceBlocked": 403,
    "DeviceProofRequired": 403,
    "FeatureNotEntitled": 403,
    "HardwareMismatch": 403,
    "HardwareIdNotAccepted": 403,
    "TrialAlreadyUsed": 403,
    "OfflineActivationNotAllowed": 403,
    "PendingApproval": 403,
    "ActivationRequired": 403,
    "NotFound": 404,
    "LicenseNotFound": 404,
    "ActivationNotFound": 404,
    "LeaseNotFound": 404,
    "SessionNotFound": 404,
    "MethodNotAllowed": 405,
    "Conflict": 409,
    "ConcurrencyConflict": 409,
    "LeaseForked": 409,
    "LeaseLimitReached": 409,
    "MaxActivationsReached": 409,
    "MaxConcurrentSessionsReached": 409,
    "OfflineRequestOutdated": 409,
    "PayloadTooLarge": 413,
    "UnsupportedMediaType": 415,
    "RangeNotSatisfiable": 416,
    "IdempotencyKeyReused": 422,
    "PricingNotConfigured": 422,
    "RateLimited": 429,
    "InternalError": 500,
    "Unavailable": 503,
}

_SENTENCES: Mapping[str, str] = {
    "LicenseInvalid": "The license is revoked or suspended. Contact the vendor.",
    "LicenseExpired": "The license has expired. Renew it with the vendor.",
    "NotMeteredLicense": "The license is not metered, so it cannot be charged.",
    "Unauthorized": "The header X-API-KEY does not contain a valid product key.",
    "EnrollmentKeyInvalid": "The enrollment key is not known. Check it for typing errors.",
    "InvalidCredentials": "The user name or password is wrong.",
    "InsufficientBalance": "The balance does not cover the cost. Nothing was charged.",
    "FeatureNotEntitled": "The license does not grant this feature.",
    "DeviceBlocked": "The vendor has blocked this device.",
    "DeviceProofRequired": "The request has no proof of the device's key.",
    "HardwareMismatch": "The license is bound to another device.",
    "HardwareIdNotAccepted": "The vendor accepts no hardware IDs of this kind.",
    "TrialAlreadyUsed": "This device has already used another trial of the product.",
    "OfflineActivationNotAllowed": "The license takes no offline requests. Ask the vendor.",
    "OfflineRequestOutdated": "This device has made a newer request. Take that one.",
    "PendingApproval": "The vendor has not approved this device yet.",
    "ActivationRequired": "This device does not hold a seat. Activate it first.",
    "NotFound": "This route does not exist.",
    "LicenseNotFound": "The license key was not found. Check it for typing errors.",
    "ActivationNotFound": "This device is not activated, so it has no seat to release.",
    "SessionNotFound": "The session has ended or never existed. Connect again.",
    "LeaseForked": "A copy of this device has used its seat, too. Ask the vendor.",
    "LeaseLimitReached": "No seat of this license can be borrowed now.",
    "LeaseNotFound": "This device has no such seat any more. Borrow one again.",
    "ConcurrencyConflict": "The license was charged concurrently. Try again.",
    "IdempotencyKeyReused": "The key was already used for another feature or quantity.",
    "PricingNotConfigured": "The feature is unknown or has no price. The vendor has to set one.",
    "Conflict": "The request does not fit what is there.",
    "MethodNotAllowed": "The route does not support this method.",
    "MaxActivationsReached": "All seats are taken. Deactivate a device first.",
    "MaxConcurrentSessionsReached": "All seats are in use. Try again when one is released.",
    "PayloadTooLarge": "The request body is too large. Send less.",
    "UnsupportedMediaType": "The body must be JSON, with a matching Content-Type.",
    "RangeNotSatisfiable": "The file has no bytes in that range. Start from the beginning.",
    "RateLimited": "Too many requests. Wait and try again.",
    "InternalError": "The server failed. Report the request ID.",
    "Unavailable": "The server is busy or starting. Try again in a moment.",
}


class Refused(Exception):
    """The request is refused.

    Attributes:
        errors: The bad fields, each with a message.
        extra: Additional members of the problem document.
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
    """Create the refusal that names every bad field."""
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
    """The headers of a refusal, with names in lower case."""
    headers = {}
    if refused.retry_after is not None:
        headers["retry-after"] = str(refused.retry_after)
    if HTTP_STATUS[refused.code] == 401:
        headers["www-authenticate"] = "Bearer"
    return headers

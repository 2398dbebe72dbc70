"""The exact members of responses and their types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from client_scenarios.target import ApiResponse

Kind = Callable[[Any], bool]


def a_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def a_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def an_exact_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def an_amount(expected: Decimal | int | str) -> Kind:
    """Exactly this number, not a float."""
    return lambda value: an_exact_number(value) and value == Decimal(expected)


def a_device_key(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"jkt", "level", "since"}


def an_id(value: Any) -> bool:
    """A UUIDv7 in canonical form."""
    return isinstance(value, str) and str(UUID(value)) == value and UUID(value).version == 7


def a_time(value: Any) -> bool:
    """RFC 3339 in UTC with ``Z``."""
    pattern = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def a_token(value: Any) -> bool:
    return isinstance(value, str) and value.count(".") == 2


def anything(value: Any) -> bool:
    return True


def maybe(kind: Kind) -> Kind:
    return lambda value: value is None or kind(value)


def one_of(*values: Any) -> Kind:
    return lambda value: any(value is item or value == item for item in values)


def are_values(value: Any) -> bool:
    """Values of features by name: flags that are true, numbers and texts."""
    return isinstance(value, dict) and all(
        item is not False and isinstance(item, bool | int | float | Decimal | str)
        for item in value.values()
    )


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def has_shape(content: Any, members: Mapping[str, Kind | Any]) -> None:
    """Check for exactly these members, given as predicates or as expected values."""
    assert isinstance(content, dict), content
    assert content.keys() == members.keys(), content.keys() ^ members.keys()
    for name, kind in members.items():
        value = content[name]
        fits = kind(value) if callable(kind) else value == kind and type(value) is type(kind)
        assert fits, f"{name} is {value!r}, not {kind!r}"


PROBLEM: Mapping[str, Kind] = {
    "type": a_text,
    "title": a_text,
    "status": a_count,
    "detail": a_text,
    "errorCode": a_text,
    "success": one_of(False),
    "requestId": a_text,
    "errors": lambda value: isinstance(value, list),
}

VERDICT: Mapping[str, Kind] = {
    "valid": one_of(True, False),
    "status": a_text,
    "message": a_text,
    "license": anything,
    "activation": anything,
    "seat": anything,
    "warnings": lambda value: isinstance(value, list),
    "serverTime": a_time,
    "nonce": maybe(a_text),
    "requestId": a_text,
}

TERMS: Mapping[str, Kind] = {
    "id": an_id,
    "type": a_text,
    "status": one_of("Active", "Expired", "Revoked", "Suspended"),
    "name": a_text,
    "issuedTo": maybe(a_text),
    "expirationDate": maybe(a_time),
    "inGraceUntil": maybe(a_time),
    "updatesUntil": maybe(a_time),
    "fallbackUntil": maybe(a_time),
    "inFallback": one_of(True, False),
    "test": one_of(True, False),
    "activationMode": one_of("Online", "Offline"),
    "maxActiveUsersCount": maybe(a_count),
    "features": lambda value: value is None or isinstance(value, list),
    "entitlements": lambda value: value is None or are_values(value),
    "metadata": lambda value: isinstance(value, dict),
}

SEAT: Mapping[str, Kind] = {
    "kind": one_of("None", "Device", "Session", "Machine"),
    "held": one_of(None, True, False),
    "used": maybe(a_count),
    "total": maybe(a_count),
}

ACTIVATION: Mapping[str, Kind] = {
    "activationId": an_id,
    "status": one_of("Active", "Pending"),
    "seatsUsed": a_count,
    "seatsTotal": maybe(a_count),
    "activatedAt": maybe(a_time),
    "test": one_of(True, False),
    "deviceKey": maybe(a_device_key),
}

SESSION: Mapping[str, Kind] = {
    "sessionId": an_id,
    "expiresAt": a_time,
    "heartbeatIntervalSeconds": a_count,
    "sessionTimeoutSeconds": a_count,
    "seatsUsed": a_count,
    "seatsTotal": maybe(a_count),
    "test": one_of(True, False),
}

CONSUMPTION: Mapping[str, Kind] = {
    "success": one_of(True),
    "licenseId": an_id,
    "featureName": a_text,
    "quantity": a_count,
    "cost": an_exact_number,
    "balance": an_exact_number,
    "ledgerEntryId": an_id,
    "replayed": one_of(True, False),
}

HEARTBEAT: Mapping[str, Kind] = {
    "sessionId": an_id,
    "expiresAt": a_time,
    "heartbeatIntervalSeconds": a_count,
}


def is_refused(response: ApiResponse, status: int, code: str, **extra: Any) -> None:
    """A problem document with this status and code, and these further members alone."""
    assert (response.status, response.code) == (status, code), response
    assert response.headers["content-type"].startswith("application/problem+json")
    has_shape(response.content, {**PROBLEM, **extra})
    assert response.content["status"] == status
    assert response.headers["x-request-id"] == response.content["requestId"]


def names_fields(response: ApiResponse, *fields: str) -> None:
    """An InvalidRequest that reports exactly these fields."""
    is_refused(response, 400, "InvalidRequest")
    for error in response.content["errors"]:
        has_shape(error, {"field": lambda value: isinstance(value, str), "message": a_text})
    assert {error["field"] for error in response.content["errors"]} == set(fields)

"""Requests and responses of routes, and wire formats shared by several routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from licet._keys import normal_form
from licet.errors import ConfigurationError
from licet.testing._coverage import fallback_until
from licet.testing._problems import Refused, bad_fields
from licet.testing._rules import (
    credentials_refusal,
    grace_end,
    in_fallback,
    is_blocked,
    license_status,
)
from licet.testing._state import Device, License, State


@dataclass(frozen=True, slots=True)
class Request:
    """A request as passed to a route.

    Attributes:
        base: The base address of the server, as in the request.
        path: The path below the base address, in lower case.
        headers: The headers, with names in lower case.
        has_body: Whether ``body`` is not from the query string.
        jkt: The thumbprint of the device key that it shows.
    """

    body: Mapping[str, Any]
    request_id: str
    now: datetime
    base: str = ""
    path: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    has_body: bool = True
    jkt: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP status with the members of a JSON object, or bytes, or no body."""

    status: int
    content: Mapping[str, Any] | None = None
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def find_license(state: State, license_key: str, hardware_id: str | None) -> License | None:
    """Find a license by its key in any spelling, or by the token of this device."""
    try:
        key = normal_form(license_key)
    except ConfigurationError:
        return None
    license_ = state.licenses.get(key) or _find_by_token(state, key, hardware_id)
    if license_ is not None:
        license_.drop_lapsed(state.now)
    return license_


def is_token(license_key: str) -> bool:
    """Whether this is the token of a device in the place of a license key."""
    return license_key.strip().startswith("dt_")


def _find_by_token(state: State, token: str, hardware_id: str | None) -> License | None:
    for license_ in state.licenses.values():
        device = license_.devices.get(hardware_id or "")
        if device is not None and not device.released and token in device.tokens:
            return license_
    return None


IN_HEADERS = ("X-License-Username", "X-License-Password")


def find_own_license(
    state: State, fields: Mapping[str, Any], names: tuple[str, str] = ("username", "password")
) -> License:
    """Find the license of a request with a user name and a password in its fields.

    ``names`` are what the user name and the password are called in a refusal.

    Raises:
        Refused: ``LicenseNotFound``; ``InvalidRequest`` or ``InvalidCredentials`` if they do not
            fit.
    """
    license_ = find_license(state, fields["licenseKey"], fields["hardwareId"])
    if license_ is None:
        raise Refused("LicenseNotFound")
    given = {names[0]: fields["username"], names[1]: fields["password"]}
    refusal = credentials_refusal(license_, given)
    if refusal is not None:
        raise refusal
    return license_


def with_credential_headers(request: Request) -> dict[str, Any]:
    """The fields of a request without a body, whose user name and password are in its headers."""
    return {
        **request.body,
        "username": request.headers.get(IN_HEADERS[0].lower()),
        "password": request.headers.get(IN_HEADERS[1].lower()),
    }


def require_device_named(license_: License, hardware_id: str | None) -> None:
    """Check that a request names its device, which must not be blocked.

    Raises:
        Refused: ``InvalidRequest``, if a device is blocked and none is named; ``DeviceBlocked``.
    """
    if license_.has_blocked_devices and hardware_id is None:
        raise bad_fields([("hardwareId", "is required: the license asks for the device.")])
    if hardware_id is not None and is_blocked(license_, hardware_id):
        raise Refused("DeviceBlocked")


def wire_time(moment: datetime | None) -> str | None:
    """Format a time as RFC 3339 in UTC with ``Z``."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def wire_seconds(duration: timedelta) -> float:
    """A duration in seconds, as an integer if possible."""
    seconds = duration.total_seconds()
    return int(seconds) if seconds.is_integer() else seconds


def key_view(device: Device) -> dict[str, Any] | None:
    """The key of a device in an answer."""
    key = device.key
    if key is None:
        return None
    return {"jkt": key.jkt, "level": key.level, "since": wire_time(key.since)}


def terms_view(license_: License, now: datetime) -> dict[str, Any]:
    """The license terms shared by verdicts and files."""
    kept = in_fallback(license_, now)
    return {
        "type": license_.type,
        "status": license_status(license_, now),
        "test": license_.test,
        "name": license_.name,
        "issuedTo": license_.issued_to,
        "expirationDate": wire_time(None if kept else license_.valid_until),
        "inGraceUntil": wire_time(grace_end(license_, now)),
        "updatesUntil": wire_time(license_.updates_until),
        "fallbackUntil": wire_time(fallback_until(license_)),
        "inFallback": kept,
        "activationMode": license_.activation_mode,
        "maxActiveUsersCount": license_.seats,
        "features": None if license_.features is None else list(license_.features),
        "entitlements": None if license_.features is None else dict(license_.features),
        "metadata": dict(license_.metadata),
    }

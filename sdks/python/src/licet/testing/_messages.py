"""Requests and responses of routes, and wire formats shared by several routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from licet._keys import normal_form
from licet.errors import ConfigurationError
from licet.testing._rules import license_status
from licet.testing._state import License, State


@dataclass(frozen=True, slots=True)
class Request:
    """A request as passed to a route.

    Attributes:
        base: The base address of the server, as in the request.
        path: The path below the base address, in lower case.
        range: The ``Range`` header.
    """

    body: Mapping[str, Any]
    request_id: str
    now: datetime
    base: str = ""
    path: str = ""
    range: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP status with the members of a JSON object, or bytes, or no body."""

    status: int
    content: Mapping[str, Any] | None = None
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def find_license(state: State, license_key: str) -> License | None:
    """Find a license by its key in any spelling."""
    try:
        return state.licenses.get(normal_form(license_key))
    except ConfigurationError:
        return None


def wire_time(moment: datetime | None) -> str | None:
    """Format a time as RFC 3339 in UTC with ``Z``."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def wire_seconds(duration: timedelta) -> float:
    """A duration in seconds, as an integer if possible."""
    seconds = duration.total_seconds()
    return int(seconds) if seconds.is_integer() else seconds


def terms_view(license_: License, now: datetime) -> dict[str, Any]:
    """The license terms shared by verdicts and files."""
    return {
        "type": license_.type,
        "status": license_status(license_, now),
        "name": license_.name,
        "issuedTo": license_.issued_to,
        "expirationDate": wire_time(license_.expiration_date),
        "activationMode": license_.activation_mode,
        "maxActiveUsersCount": license_.seats,
        "features": None if license_.features is None else list(license_.features),
        "metadata": dict(license_.metadata),
    }

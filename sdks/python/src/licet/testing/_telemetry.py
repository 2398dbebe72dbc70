"""The route of telemetry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from licet._clock import optional_time
from licet.testing._fields import HARDWARE_ID, LICENSE_KEY, optional, read_fields, string
from licet.testing._messages import Request, Response, find_license
from licet.testing._problems import Refused, bad_fields
from licet.testing._state import State, TrackedEvent

MAX_EVENTS, MAX_PROPERTIES, MAX_NUMBER = 100, 20, 10**18
MAX_AGE, MAX_AHEAD = timedelta(days=30), timedelta(days=1)

_NAME = string(100, min_length=1, allow_blank=False)
_KEY, _TEXT = string(50, min_length=1), string(500)


def _events(value: Any) -> str | None:
    if value is None:
        return "is missing."
    fits = isinstance(value, list) and 1 <= len(value) <= MAX_EVENTS
    return None if fits else f"must be a list of 1 to {MAX_EVENTS} events."


_TELEMETRY = {
    "events": _events,
    "licenseKey": optional(LICENSE_KEY),
    "hardwareId": optional(HARDWARE_ID),
}


def telemetry(state: State, request: Request) -> Response:
    """POST /telemetry."""
    fields = read_fields(request.body, _TELEMETRY)
    errors = [
        (f"events[{index}]{path}", message)
        for index, item in enumerate(fields["events"])
        for path, message in _errors(item)
    ]
    if errors:
        raise bad_fields(errors)
    license_ = None
    if fields["licenseKey"] is not None:
        license_ = find_license(state, fields["licenseKey"], fields["hardwareId"])
        if license_ is None:
            raise Refused("LicenseNotFound")
        device = license_.devices.get(fields["hardwareId"] or "")
        if device is not None and device.blocked:
            raise Refused("DeviceBlocked")
    accepted = [
        TrackedEvent(
            item["name"],
            moment,
            dict(item.get("properties") or {}),
            None if license_ is None else license_.id,
            fields["hardwareId"],
        )
        for item in fields["events"]
        if _is_plausible(moment := _time(item), request.now)
    ]
    state.telemetry.extend(accepted)
    return Response(202, {"accepted": len(accepted)})


def _errors(item: Any) -> list[tuple[str, str]]:
    if not isinstance(item, Mapping):
        return [("", "must be a JSON object.")]
    found = [
        (".name", _NAME(item.get("name"))),
        (".occurredAt", _time_error(item.get("occurredAt"))),
        (".properties", _properties(item.get("properties"))),
    ]
    return [(path, message) for path, message in found if message is not None]


def _time_error(value: Any) -> str | None:
    return (
        None
        if optional_time(value) is not None
        else "must be a time with a zone, for example 2026-11-22T09:30:00Z."
    )


def _time(item: Mapping[str, Any]) -> datetime:
    moment = optional_time(item["occurredAt"])
    if moment is None:
        raise AssertionError("the times were checked")
    return moment


def _is_plausible(moment: datetime, now: datetime) -> bool:
    return now - MAX_AGE <= moment <= now + MAX_AHEAD


def _properties(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, dict) or len(value) > MAX_PROPERTIES:
        return f"must map at most {MAX_PROPERTIES} names to strings, numbers and booleans."
    for name, item in value.items():
        message = _KEY(name) or _value_error(item)
        if message is not None:
            return message
    return None


def _value_error(item: Any) -> str | None:
    if isinstance(item, str):
        return _TEXT(item)
    if isinstance(item, int | float) and math.isfinite(item) and abs(item) < MAX_NUMBER:
        return None
    return "must contain only strings, numbers and booleans."

"""The route of telemetry, and what a test sees of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from licet._clock import told_moment
from licet.testing._answers import Answer, Call, find_license
from licet.testing._fields import HARDWARE_ID, LICENSE_KEY, optional, read_fields, text
from licet.testing._refusals import Refused, bad_fields
from licet.testing._state import State, TrackedEvent

MOST_AT_ONCE, MOST_PROPERTIES, LARGEST = 100, 20, 10**18
OLDEST, FURTHEST_AHEAD = timedelta(days=30), timedelta(days=1)

_NAME = text(100, shortest=1, blank=False)
_KEY, _TEXT = text(50, shortest=1), text(500)


def _events(value: Any) -> str | None:
    if value is None:
        return "is missing."
    fits = isinstance(value, list) and 1 <= len(value) <= MOST_AT_ONCE
    return None if fits else f"has to be a list of 1 to {MOST_AT_ONCE} events."


_TELEMETRY = {
    "events": _events,
    "licenseKey": optional(LICENSE_KEY),
    "hardwareId": optional(HARDWARE_ID),
}


def telemetry(state: State, call: Call) -> Answer:
    """POST /telemetry."""
    asked = read_fields(call.body, _TELEMETRY)
    wrong = [
        (f"events[{place}]{where}", message)
        for place, item in enumerate(asked["events"])
        for where, message in _breaches(item)
    ]
    if wrong:
        raise bad_fields(wrong)
    license_ = None
    if asked["licenseKey"] is not None:
        license_ = find_license(state, asked["licenseKey"])
        if license_ is None:
            raise Refused("LicenseNotFound")
        device = license_.devices.get(asked["hardwareId"] or "")
        if device is not None and device.blocked:
            raise Refused("DeviceBlocked")
    kept = [
        TrackedEvent(
            item["name"],
            moment,
            dict(item.get("properties") or {}),
            None if license_ is None else license_.id,
            asked["hardwareId"],
        )
        for item in asked["events"]
        if _is_believable(moment := _moment(item), call.now)
    ]
    state.telemetry.extend(kept)
    return Answer(202, {"accepted": len(kept)})


def _breaches(item: Any) -> list[tuple[str, str]]:
    if not isinstance(item, Mapping):
        return [("", "has to be a JSON object.")]
    found = [
        (".name", _NAME(item.get("name"))),
        (".occurredAt", _no_moment(item.get("occurredAt"))),
        (".properties", _properties(item.get("properties"))),
    ]
    return [(where, message) for where, message in found if message is not None]


def _no_moment(value: Any) -> str | None:
    return None if told_moment(value) is not None else "has to be a time with its zone."


def _moment(item: Mapping[str, Any]) -> datetime:
    moment = told_moment(item["occurredAt"])
    if moment is None:
        raise AssertionError("the times were checked")
    return moment


def _is_believable(moment: datetime, now: datetime) -> bool:
    return now - OLDEST <= moment <= now + FURTHEST_AHEAD


def _properties(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, dict) or len(value) > MOST_PROPERTIES:
        return f"has to map at most {MOST_PROPERTIES} names to texts, numbers and truths."
    for name, item in value.items():
        message = _KEY(name) or _unfit(item)
        if message is not None:
            return message
    return None


def _unfit(item: Any) -> str | None:
    if isinstance(item, str):
        return _TEXT(item)
    if isinstance(item, int | float) and math.isfinite(item) and abs(item) < LARGEST:
        return None
    return "has to hold texts, numbers and truths alone."

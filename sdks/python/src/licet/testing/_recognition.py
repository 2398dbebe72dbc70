"""Recognizing a device whose hardware ID or key has changed, by its components."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from licet.testing._fields import Check, optional
from licet.testing._seat_refusals import releases_left
from licet.testing._state import Component, Device, License, ShownKey, State

MAX_COMPONENTS = 8
MOST_CHANGES = 2
MONTH = timedelta(days=30)
_NAME, _VALUE = re.compile(r"(?!hardwareId\Z)[a-z][A-Za-z0-9]{0,31}"), re.compile(r"[0-9a-f]{16}")


def _component_map(value: Any) -> str | None:
    if not isinstance(value, dict) or len(value) > MAX_COMPONENTS:
        return f"must map at most {MAX_COMPONENTS} names to components."
    fits = all(
        _NAME.fullmatch(name) and isinstance(item, str) and _VALUE.fullmatch(item)
        for name, item in value.items()
    )
    return None if fits else "must map names to 16 lower-case hexadecimal digits."


COMPONENTS: Check = optional(_component_map)


def recognize(state: State, license_: License, fields: Mapping[str, Any], now: datetime) -> None:
    """Let the device that this request comes from have the hardware ID and the key of it.

    That is a device of the license with the same key, or with enough of the same components, if no
    more than two components have changed in 30 days, and enough are those that it began with.
    Where proofs are asked for, a new key counts as one of the releases that applications have in a
    year. The fake looks for no clones.
    """
    match, hardware_id = license_.machine_match, fields.get("hardwareId")
    shown: Mapping[str, str] = fields.get("components") or {}
    if match is None or hardware_id is None or len(shown) < match[1]:
        return
    asks, jkt = license_.device_proof != "Off", fields["jkt"]
    known = license_.devices.get(hardware_id)
    device = known if known is not None else _most_alike(license_, match, shown, jkt)
    if device is None or device.blocked or device.released:
        return
    has_new_key = asks and jkt is not None and device.key is not None and device.key.jkt != jkt
    if known is not None and not has_new_key:
        return
    if has_new_key and (
        _equal(device, shown) < match[0] or releases_left(state, license_, now) == 0
    ):
        return
    if not _drift(device, match, shown, now):
        return
    if has_new_key:
        license_.app_releases.append(now)
        device.key = ShownKey(jkt, fields.get("deviceKeyLevel") or "Software", now)
    del license_.devices[device.hardware_id]
    device.hardware_id = hardware_id
    license_.devices[hardware_id] = device


def bind(license_: License, device: Device, fields: Mapping[str, Any]) -> None:
    """Keep the first components of a device that are enough to recognize it by."""
    match, shown = license_.machine_match, fields.get("components") or {}
    if match is not None and not device.components and len(shown) >= match[1]:
        device.components = {name: Component(value, value) for name, value in shown.items()}


def _most_alike(
    license_: License, match: tuple[int, int], shown: Mapping[str, str], jkt: str | None
) -> Device | None:
    at_least, of = match
    found = [
        item
        for item in license_.devices.values()
        if not (item.blocked or item.released)
        and not (license_.device_proof != "Off" and jkt is None and item.key is not None)
        and (
            (jkt is not None and item.key is not None and item.key.jkt == jkt)
            or (len(item.components) >= of and _equal(item, shown) >= at_least)
        )
    ]
    return max(found, key=lambda item: _equal(item, shown), default=None)


def _equal(device: Device, shown: Mapping[str, str]) -> int:
    return sum(shown.get(name) == item.value for name, item in device.components.items())


def _drift(device: Device, match: tuple[int, int], shown: Mapping[str, str], now: datetime) -> bool:
    """Give a device its changed components; whether they may have changed so much."""
    bound = device.components
    changed = {name for name, item in bound.items() if shown.get(name, item.value) != item.value}
    recent = {
        name
        for name, item in bound.items()
        if item.changed_at is not None and now - item.changed_at <= MONTH
    }
    kept = sum(shown.get(name, item.value) == item.original for name, item in bound.items())
    if changed and (len(changed) + len(recent) > MOST_CHANGES or kept < match[0]):
        return False
    for name in changed:
        bound[name].value, bound[name].changed_at = shown[name], now
    return True

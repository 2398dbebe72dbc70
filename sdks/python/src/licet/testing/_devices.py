"""Devices: what becomes of a machine that asks, and the routes of activations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from licet.testing._answers import Answer, Call, find_license, wire_time
from licet.testing._fields import HARDWARE_ID, LICENSE_KEY, SHORT, optional, pairs, read_fields
from licet.testing._refusals import Refused
from licet.testing._rules import (
    bound_device,
    device_seats,
    is_blocked,
    live_sessions,
    refusal_by_license,
    refusal_to_activate,
)
from licet.testing._state import Attempt, Device, EntryPoint, License, State, new_id

_ACTIVATE = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "deviceName": SHORT,
    "os": SHORT,
    "appVersion": SHORT,
    "metadata": optional(pairs),
}
_CURRENT = {"licenseKey": LICENSE_KEY, "hardwareId": HARDWARE_ID}


def activate(state: State, call: Call) -> Answer:
    """POST /activations."""
    asked, now = read_fields(call.body, _ACTIVATE), call.now
    license_ = _license_in_order(state, asked["licenseKey"], now)
    known = license_.devices.get(asked["hardwareId"])
    had_seat = known is not None and known.holds_seat
    refusal = refusal_to_activate(license_, asked["hardwareId"])
    if refusal is not None:
        if license_.type == "NodeLocked" and refusal.code == "MaxActivationsReached":
            note_attempt(license_, asked["hardwareId"], "Activate", now)
        raise refusal
    needs_approval = license_.binding_mode == "OwnerApproval" and not had_seat
    device = admit(license_, asked, now, seat=not needs_approval)
    used, total = device_seats(license_)
    content = {
        "activationId": device.id,
        "status": device.status,
        "seatsUsed": used,
        "seatsTotal": total,
        "activatedAt": wire_time(device.activated_at),
    }
    return Answer(202 if needs_approval else 200 if had_seat else 201, content)


def deactivate(state: State, call: Call) -> Answer:
    """DELETE /activations/current."""
    asked = read_fields(call.body, _CURRENT)
    license_ = find_license(state, asked["licenseKey"])
    if license_ is None:
        raise Refused("LicenseNotFound")
    if is_blocked(license_, asked["hardwareId"]):
        raise Refused("DeviceBlocked")
    if asked["hardwareId"] not in license_.devices:
        raise Refused("ActivationNotFound")
    remove(license_, asked["hardwareId"])
    return Answer(204)


def settle_binding(
    license_: License,
    status: str,
    asked: Mapping[str, Any],
    entry_point: EntryPoint,
    now: datetime,
) -> None:
    """Keep what a node-locked license's answer means for the machine that asked.

    The first machine that is let in is bound, one that needs approval waits for it, and one that
    is turned away is noted.
    """
    if license_.type != "NodeLocked":
        return
    if status == "Valid" and bound_device(license_) is None:
        admit(license_, asked, now, seat=True)
    elif status == "PendingApproval":
        admit(license_, asked, now, seat=False)
    elif status == "HardwareMismatch":
        note_attempt(license_, asked["hardwareId"], entry_point, now)


def admit(license_: License, asked: Mapping[str, Any], now: datetime, *, seat: bool) -> Device:
    """The device's row, made or brought up to date; with a seat or waiting for one."""
    hardware_id = asked["hardwareId"]
    device = license_.devices.get(hardware_id)
    if device is None:
        device = Device(
            new_id(now), hardware_id, holds_seat=False, created_at=now, last_seen_at=now
        )
        license_.devices[hardware_id] = device
    device.last_seen_at = now
    device.name = asked.get("deviceName") or device.name
    device.os = asked.get("os") or device.os
    device.app_version = asked.get("appVersion") or device.app_version
    device.metadata = dict(asked.get("metadata") or device.metadata)
    if seat:
        seat_device(device, now)
    return device


def seat_device(device: Device, now: datetime) -> None:
    """Give a device its seat, if it has none."""
    device.holds_seat = True
    device.activated_at = device.activated_at or now


def remove(license_: License, hardware_id: str) -> None:
    """Forget a device and end its sessions."""
    license_.devices.pop(hardware_id, None)
    for session in license_.sessions:
        if session.hardware_id == hardware_id:
            session.ended = True


def block(license_: License, device: Device, now: datetime) -> None:
    """Shut a device out, which keeps its seat, and cut its live sessions off."""
    device.blocked = True
    for session in live_sessions(license_, now):
        if session.hardware_id == device.hardware_id:
            session.ended = session.cut_off = True


def note_attempt(
    license_: License, hardware_id: str, entry_point: EntryPoint, now: datetime
) -> None:
    """Count a machine that was turned away because the license is bound to another."""
    bound = bound_device(license_)
    if bound is None:
        return
    attempt = license_.attempts.get(hardware_id)
    if attempt is None:
        attempt = Attempt(hardware_id, bound.hardware_id, entry_point, 0, now, now)
        license_.attempts[hardware_id] = attempt
    attempt.count += 1
    attempt.last_seen_at = now
    attempt.entry_point = entry_point
    attempt.bound_hardware_id = bound.hardware_id


def _license_in_order(state: State, license_key: str, now: datetime) -> License:
    license_ = find_license(state, license_key)
    refusal = refusal_by_license(license_, now)
    if refusal is not None or license_ is None:
        raise refusal or Refused("LicenseNotFound")
    return license_

"""Devices: registration, binding and the routes of activations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from licet.testing._device_settings import devices_to_reclaim, require_admissible
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    LICENSE_KEY,
    SHORT_STRING,
    optional,
    read_fields,
    string_map,
)
from licet.testing._messages import (
    IN_HEADERS,
    Request,
    Response,
    find_own_license,
    key_view,
    wire_time,
    with_credential_headers,
)
from licet.testing._problems import Refused
from licet.testing._recognition import COMPONENTS, bind, recognize
from licet.testing._rules import (
    activation_refusal,
    bound_device,
    device_seats,
    holds_seat,
    is_blocked,
    license_refusal,
    live_sessions,
)
from licet.testing._seat_refusals import noted
from licet.testing._state import Attempt, Device, EntryPoint, License, ShownKey, State, new_id

_ACTIVATE = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "deviceName": SHORT_STRING,
    "os": SHORT_STRING,
    "appVersion": SHORT_STRING,
    "metadata": optional(string_map),
    "deviceKeyLevel": SHORT_STRING,
    "components": COMPONENTS,
    **CREDENTIALS,
}
_CURRENT = {"licenseKey": LICENSE_KEY, "hardwareId": HARDWARE_ID, **CREDENTIALS}


def activate(state: State, request: Request) -> Response:
    """POST /activations."""
    fields, now = {**read_fields(request.body, _ACTIVATE), "jkt": request.jkt}, request.now
    license_ = find_own_license(state, fields)
    not_in_order = license_refusal(license_, now)
    if not_in_order is not None:
        raise not_in_order
    status, device = activate_device(state, license_, fields, now)
    used, total = device_seats(license_)
    content = {
        "activationId": device.id,
        "status": device.status,
        "seatsUsed": used,
        "seatsTotal": total,
        "activatedAt": wire_time(device.activated_at),
        "test": license_.test,
        "deviceKey": key_view(device),
    }
    return Response(status, content)


def activate_device(
    state: State, license_: License, fields: Mapping[str, Any], now: datetime
) -> tuple[int, Device]:
    """Give a seat to a device, or register one that needs approval; returns the HTTP status, too.

    Raises:
        Refused: There is no seat for the device.
    """
    require_admissible(state, license_, fields["hardwareId"])
    recognize(state, license_, fields, now)
    reclaim_seats(state, license_, fields["hardwareId"], now)
    known = license_.devices.get(fields["hardwareId"])
    had_seat = known is not None and holds_seat(license_, known.hardware_id)
    refusal = activation_refusal(license_, fields["hardwareId"])
    if refusal is not None:
        if license_.traits.binding and refusal.code == "MaxActivationsReached":
            record_attempt(license_, fields["hardwareId"], "Activate", now)
        raise noted(state, license_, fields["hardwareId"], refusal, now)
    needs_approval = license_.binding_mode == "OwnerApproval" and not had_seat
    device = register_device(license_, fields, now, seat=not needs_approval)
    return 202 if needs_approval else 200 if had_seat else 201, device


def deactivate(state: State, request: Request) -> Response:
    """DELETE /activations/current."""
    if request.has_body:
        fields = read_fields(request.body, _CURRENT)
        license_ = find_own_license(state, fields)
    else:
        fields = read_fields(with_credential_headers(request), _CURRENT)
        license_ = find_own_license(state, fields, IN_HEADERS)
    if is_blocked(license_, fields["hardwareId"]):
        raise Refused("DeviceBlocked")
    device = license_.devices.get(fields["hardwareId"])
    if device is None or device.released:
        raise Refused("ActivationNotFound")
    remove_device(license_, device, request.now)
    return Response(204)


def apply_binding(
    license_: License,
    status: str,
    fields: Mapping[str, Any],
    entry_point: EntryPoint,
    now: datetime,
) -> None:
    """Apply the status of a validation to the binding of a node-locked license.

    The first valid device is bound, a device that needs approval is registered as pending, and a
    mismatching device is recorded as an access attempt.
    """
    if not license_.traits.binding:
        return
    if status == "Valid" and bound_device(license_) is None:
        register_device(license_, fields, now, seat=True)
    elif status == "PendingApproval":
        register_device(license_, fields, now, seat=False)
    elif status == "HardwareMismatch":
        record_attempt(license_, fields["hardwareId"], entry_point, now)


def register_device(
    license_: License, fields: Mapping[str, Any], now: datetime, *, seat: bool
) -> Device:
    """Create or update the device, and assign a seat if ``seat`` is true."""
    hardware_id = fields["hardwareId"]
    device = license_.devices.get(hardware_id)
    if device is None:
        device = Device(
            new_id(now), hardware_id, holds_seat=False, created_at=now, last_seen_at=now
        )
        license_.devices[hardware_id] = device
    device.last_seen_at = now
    device.name = fields.get("deviceName") or device.name
    device.os = fields.get("os") or device.os
    device.app_version = fields.get("appVersion") or device.app_version
    device.metadata = dict(fields.get("metadata") or device.metadata)
    if device.key is None and fields.get("jkt") is not None:
        device.key = ShownKey(fields["jkt"], fields.get("deviceKeyLevel") or "Software", now)
    bind(license_, device, fields)
    if seat:
        assign_seat(device, now)
    return device


def assign_seat(device: Device, now: datetime) -> None:
    """Assign a seat to a device, if it has none."""
    device.holds_seat, device.released = True, False
    device.activated_at = device.activated_at or now


def remove_device(license_: License, device: Device, now: datetime) -> None:
    """Remove a device and end its sessions. Its seat is free when its license file has ended."""
    if device.has_offline_file(now):
        device.released, device.blocked, device.tokens = True, False, []
        _end_sessions(license_, device)
    else:
        delete_device(license_, device)


def delete_device(license_: License, device: Device) -> None:
    """Remove a device and free its seat at once, whatever license file it has."""
    license_.devices.pop(device.hardware_id, None)
    _end_sessions(license_, device)


def reclaim_seats(state: State, license_: License, hardware_id: str, now: datetime) -> None:
    """Remove the devices that were not seen for long, if a new one needs their seats."""
    for device in devices_to_reclaim(state, license_, hardware_id, now):
        delete_device(license_, device)


def _end_sessions(license_: License, device: Device) -> None:
    for session in license_.sessions:
        if session.hardware_id == device.hardware_id:
            session.end()


def block_device(license_: License, device: Device, now: datetime) -> None:
    """Block a device and end its live sessions. It keeps its seat."""
    device.blocked, device.released = True, False
    for session in live_sessions(license_, now):
        if session.hardware_id == device.hardware_id:
            session.end()
            session.cut_off = session.ended


def record_attempt(
    license_: License, hardware_id: str, entry_point: EntryPoint, now: datetime
) -> None:
    """Record an access attempt of a device that the license is not bound to."""
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

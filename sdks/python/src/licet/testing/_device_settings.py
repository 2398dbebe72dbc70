"""The settings of the product that decide which devices may use a license."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from licet.testing._problems import Refused
from licet.testing._rules import device_seats, live_sessions
from licet.testing._state import Device, DeviceSettings, License, State

_KIND = re.compile(r"h\d+([a-z])-[0-9a-f]*", re.IGNORECASE)
_SHARED = frozenset({"j", "n"})


def validation_status(state: State, license_: License, hardware_id: str | None, status: str) -> str:
    """The status of a validation with regard to the settings; stores the first Trial."""
    if status in _BEFORE_THE_DEVICE:
        return status
    if hardware_id is not None and not _is_accepted(state.devices, license_, hardware_id):
        return "HardwareIdNotAccepted"
    if status != "Valid" or not _is_once_per_device(state.devices, license_):
        return status
    if hardware_id is None:
        return "HardwareIdRequired"
    first = state.devices.first_trials.setdefault(hardware_id, license_.id)
    return status if first == license_.id else "TrialAlreadyUsed"


def require_accepted(state: State, license_: License, hardware_id: str | None) -> None:
    """Check the kind of the hardware ID.

    Raises:
        Refused: ``HardwareIdNotAccepted``.
    """
    if hardware_id is not None and not _is_accepted(state.devices, license_, hardware_id):
        raise Refused("HardwareIdNotAccepted")


def require_admissible(state: State, license_: License, hardware_id: str) -> None:
    """Check the kind of the hardware ID, and that the device had no other Trial.

    Raises:
        Refused: ``HardwareIdNotAccepted``, ``TrialAlreadyUsed``.
    """
    status = validation_status(state, license_, hardware_id, "Valid")
    if status != "Valid":
        raise Refused(status)


def devices_to_reclaim(
    state: State, license_: License, hardware_id: str, now: datetime
) -> list[Device]:
    """The devices that were not seen for long, if a new one needs their seats."""
    used, total = device_seats(license_)
    own, idle_days = license_.devices.get(hardware_id), state.devices.idle_days
    if total is None or used < total or idle_days is None or license_.traits.binding:
        return []
    if own is not None and own.holds_seat:
        return []
    in_use = {session.hardware_id for session in live_sessions(license_, now)}
    before = now - timedelta(days=idle_days)
    idle = [
        device
        for device in license_.devices.values()
        if device.hardware_id not in in_use
        and device.last_seen_at <= before
        and _is_reclaimable(device, now)
    ]
    idle.sort(key=lambda device: device.last_seen_at)
    needed = used - total + 1
    return idle[:needed] if len(idle) >= needed else []


def _is_reclaimable(device: Device, now: datetime) -> bool:
    return device.seated and not device.blocked and not device.has_offline_file(now)


def _is_accepted(settings: DeviceSettings, license_: License, hardware_id: str) -> bool:
    found = _KIND.fullmatch(hardware_id.strip())
    if found is None:
        return True
    kind = found[1].lower()
    if settings.hardware_id_kinds is not None:
        return kind in settings.hardware_id_kinds
    return not (license_.traits.binding and kind in _SHARED)


def _is_once_per_device(settings: DeviceSettings, license_: License) -> bool:
    return settings.trial_once and license_.type == "Trial"


_BEFORE_THE_DEVICE = frozenset(
    {
        "LicenseNotFound",
        "CredentialsRequired",
        "CredentialsInvalid",
        "Revoked",
        "Suspended",
        "Expired",
        "ReleaseNotAllowed",
        "HardwareIdRequired",
    }
)

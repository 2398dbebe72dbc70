"""The rules of the fake: pure functions of its data and the current time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from licet.testing._coverage import fallback_until, is_covered, is_unpaid
from licet.testing._problems import Refused, bad_fields
from licet.testing._state import Device, License, PublishedRelease, Session

_REPLACED = (
    "Another copy of the application has connected with the same instance ID. Connect with an "
    "instance ID of your own."
)


@dataclass(frozen=True, slots=True)
class ValidationRequest:
    """The fields of a validation that rules depend on."""

    hardware_id: str | None = None
    app_version: str | None = None
    username: str | None = None
    password: str | None = None
    jkt: str | None = None


# Licenses.


def license_status(license_: License, now: datetime) -> str:
    """Active, Expired, Revoked or Suspended; a license expires exactly when its grace ends."""
    if license_.revoked:
        return "Revoked"
    if license_.suspended:
        return "Suspended"
    is_over = is_unpaid(license_, now) and fallback_until(license_) is None
    return "Expired" if is_over else "Active"


def in_fallback(license_: License, now: datetime) -> bool:
    """Whether the license is active only because of what it keeps after its term."""
    return is_unpaid(license_, now) and license_status(license_, now) == "Active"


def grace_end(license_: License, now: datetime) -> datetime | None:
    """The end of the grace, if the license is active only because of it."""
    end = license_.expiration_date
    if (
        end is None
        or now < end
        or is_unpaid(license_, now)
        or license_status(license_, now) != "Active"
    ):
        return None
    return license_.valid_until


def evaluate(
    license_: License | None,
    line: str,
    release: PublishedRelease | None,
    request: ValidationRequest,
    now: datetime,
) -> str:
    """The status of a validation: the first check that fails, or Valid."""
    if license_ is None:
        return "LicenseNotFound"
    return next(_failures(license_, line, release, request, now), "Valid")


def _failures(
    license_: License,
    line: str,
    release: PublishedRelease | None,
    request: ValidationRequest,
    now: datetime,
) -> Iterator[str]:
    # First, so that nothing is told of a license before they are correct.
    if license_.username is not None:
        if request.username is None or request.password is None:
            yield "CredentialsRequired"
        elif (request.username, request.password) != (license_.username, license_.password):
            yield "CredentialsInvalid"
    status = license_status(license_, now)
    if status != "Active":
        yield status
    if request.app_version is not None and not is_covered(
        license_, line, request.app_version, release, now
    ):
        yield "ReleaseNotAllowed"
    yield from _machine_failures(license_, request.hardware_id)
    if request.jkt is None and needs_proof(license_, request.hardware_id):
        yield "DeviceProofRequired"
    if requires_activation(license_) and not holds_seat(license_, request.hardware_id or ""):
        yield "ActivationRequired"


def _machine_failures(license_: License, hardware_id: str | None) -> Iterator[str]:
    locked = license_.traits.binding
    if hardware_id is None:
        if locked or license_.has_blocked_devices:
            yield "HardwareIdRequired"
        return
    if is_blocked(license_, hardware_id):
        yield "DeviceBlocked"
    if locked:
        yield from _binding_failures(license_, hardware_id)


def _binding_failures(license_: License, hardware_id: str) -> Iterator[str]:
    bound = bound_device(license_)
    if bound is None:
        if license_.binding_mode == "OwnerApproval":
            yield "PendingApproval"
    elif bound.hardware_id != hardware_id:
        yield "HardwareMismatch"


def credentials_refusal(license_: License, given: Mapping[str, str | None]) -> Refused | None:
    """The refusal if the license has a user name and a password that the request has not.

    ``given`` has both in this order, by the names that they have in the request.
    """
    if license_.username is None:
        return None
    missing = [name for name, value in given.items() if value is None]
    if missing:
        return bad_fields([(name, "is required for this license.") for name in missing])
    username, password = given.values()
    is_name = _name_form(username) == _name_form(license_.username)
    return None if is_name and password == license_.password else Refused("InvalidCredentials")


def _name_form(username: str | None) -> str:
    """A user name without what people paste around it."""
    return (username or "").replace("\ufeff", "").strip()


def license_refusal(license_: License, now: datetime) -> Refused | None:
    """The refusal if the license is not active, for routes that refuse with an error code."""
    status = license_status(license_, now)
    if status == "Active":
        return None
    return Refused("LicenseExpired" if status == "Expired" else "LicenseInvalid")


# Devices.


def is_blocked(license_: License, hardware_id: str) -> bool:
    """Whether the vendor has blocked this device."""
    device = license_.devices.get(hardware_id)
    return device is not None and device.blocked


def needs_proof(license_: License, hardware_id: str | None) -> bool:
    """Whether the requests of a device have to show its key."""
    device = license_.devices.get(hardware_id or "")
    has_key = device is not None and device.key is not None
    return license_.device_proof == "Required" or (
        license_.device_proof == "WhenPresent" and has_key
    )


def bound_device(license_: License) -> Device | None:
    """The device that a node-locked license is bound to."""
    return next((device for device in license_.devices.values() if device.holds_seat), None)


def holds_seat(license_: License, hardware_id: str) -> bool:
    """Whether this device holds a seat that it may use."""
    device = license_.devices.get(hardware_id)
    return device is not None and device.seated and not is_over_limit(license_, device)


def is_over_limit(license_: License, device: Device) -> bool:
    """Whether a lower cap took the seat of a device; the oldest ones keep theirs."""
    cap = _device_cap(license_)
    holders = [item for item in license_.devices.values() if item.holds_seat]
    holders.sort(key=lambda item: item.activated_at or item.created_at)
    return cap is not None and any(item is device for item in holders[cap:])


def _device_cap(license_: License) -> int | None:
    return license_.seats if license_.traits.seat_kind == "Device" else None


def requires_activation(license_: License) -> bool:
    """Whether only activated devices may connect and refresh."""
    return license_.traits.seat_kind == "Device"


def device_seats(license_: License) -> tuple[int, int | None]:
    """The seats that devices hold, released ones included, and the cap, if there is one."""
    used = sum(device.holds_seat for device in license_.devices.values())
    if license_.traits.binding:
        return used, 1
    cap = _device_cap(license_)
    return (used, None) if cap is None else (min(used, cap), cap)


def activation_refusal(license_: License, hardware_id: str) -> Refused | None:
    """The refusal of an activation on an active license."""
    if is_blocked(license_, hardware_id):
        return Refused("DeviceBlocked")
    used, total = device_seats(license_)
    own = license_.devices.get(hardware_id)
    keeps = own is not None and own.holds_seat and not is_over_limit(license_, own)
    if total is None or used < total or keeps:
        return None
    return _full("MaxActivationsReached", used, total)


# Sessions.


def is_running(session: Session, now: datetime) -> bool:
    """Whether a session has neither ended nor expired; it ends exactly when it expires."""
    if session.lease is not None:
        return session.lease.is_held(now)
    return not session.ended and now < session.expires_at


def is_live(session: Session, now: datetime) -> bool:
    """Whether a session is live; revoking and expiring a license end those without a lease."""
    if session.lease is not None:
        return is_running(session, now)
    is_over = license_status(session.license, now) in {"Revoked", "Expired"}
    return is_running(session, now) and not is_over


def live_sessions(license_: License, now: datetime) -> list[Session]:
    """The live sessions, oldest first."""
    return [session for session in license_.sessions if is_live(session, now)]


def replaced_session(
    license_: License, hardware_id: str, instance_id: str | None, now: datetime
) -> Session | None:
    """The earlier session of the same instance on the same device, which is replaced."""
    if instance_id is None:
        return None
    return next(
        (
            session
            for session in live_sessions(license_, now)
            if (session.hardware_id, session.instance_id) == (hardware_id, instance_id)
        ),
        None,
    )


def session_seats(license_: License, now: datetime) -> tuple[int, int | None]:
    """The number of live sessions and the cap, ``None`` if there is none."""
    total = license_.seats if license_.traits.seat_kind == "Session" else None
    return len(live_sessions(license_, now)), total


def connect_refusal(license_: License, hardware_id: str) -> Refused | None:
    """The refusal of a connect on an active license, apart from the seat cap."""
    code = next(_machine_failures(license_, hardware_id), None)
    if code is None and requires_activation(license_) and not holds_seat(license_, hardware_id):
        code = "ActivationRequired"
    return None if code is None else Refused(code)


def seat_view(
    license_: License, hardware_id: str | None, session: Session | None, now: datetime
) -> dict[str, Any]:
    """The seat of a verdict; ``session`` is the one that the request named, if it did."""
    kind, held = license_.traits.seat_kind, None
    used: int | None = None
    total: int | None = None
    if kind == "Session":
        used, total = session_seats(license_, now)
        held = None if session is None else is_live(session, now)
    elif kind != "None":
        used, total = device_seats(license_)
        held = None if hardware_id is None else holds_seat(license_, hardware_id)
    return {"kind": kind, "held": held, "used": used, "total": total}


def full_pool_refusal(license_: License, replaced: Session | None, now: datetime) -> Refused | None:
    """The refusal if all seats are taken, not counting the session to be replaced."""
    used, total = session_seats(license_, now)
    if total is None or used - (replaced is not None) < total:
        return None
    return _full("MaxConcurrentSessionsReached", used, total)


def session_refusal(session: Session | None, now: datetime) -> Refused | None:
    """The refusal if a session is not live; it says what ended it, if the application can act."""
    if session is not None and is_running(session, now):
        return None if is_live(session, now) else license_refusal(session.license, now)
    if session is not None and session.cut_off and _is_on_blocked_device(session):
        return Refused("DeviceBlocked")
    if session is not None and session.replaced:
        return Refused("SessionNotFound", _REPLACED, extra={"endReason": "Replaced"})
    return Refused("SessionNotFound")


def _is_on_blocked_device(session: Session) -> bool:
    return is_blocked(session.license, session.hardware_id)


def spacing_refusal(session: Session, spacing: timedelta, now: datetime) -> Refused | None:
    """The refusal if a heartbeat is too early; the first heartbeat never is."""
    if session.last_heartbeat_at is None:
        return None
    left = (session.last_heartbeat_at + spacing - now).total_seconds()
    return Refused("RateLimited", retry_after=math.ceil(left)) if left > 0 else None


def _full(code: str, used: int, total: int) -> Refused:
    return Refused(code, extra={"seatsUsed": used, "seatsTotal": total})

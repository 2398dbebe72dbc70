"""The decisions of the fake: pure functions over its data, with the moment handed in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from licet._semver import release_allows
from licet.testing._problems import Refused
from licet.testing._state import Device, License, Session

MODELS = (
    "Perpetual",
    "Trial",
    "Subscription",
    "Floating",
    "Concurrent",
    "NodeLocked",
    "MeteredToken",
    "MeteredCount",
)
CAPPED = frozenset({"Floating", "Concurrent"})
TERM_LIMITED = frozenset({"Trial", "Subscription"})
ONLINE_ONLY = frozenset({"Floating", "MeteredToken", "MeteredCount"})


@dataclass(frozen=True, slots=True)
class ValidationRequest:
    """What an application says of itself when it asks for a verdict."""

    hardware_id: str | None = None
    app_version: str | None = None
    username: str | None = None
    password: str | None = None


# The license.


def license_status(license_: License, now: datetime) -> str:
    """Active, Expired, Revoked or Suspended; a term ends at its very instant."""
    if license_.revoked:
        return "Revoked"
    if license_.suspended:
        return "Suspended"
    end = license_.expiration_date
    return "Expired" if end is not None and end <= now else "Active"


def evaluate(
    license_: License | None, release: str, request: ValidationRequest, now: datetime
) -> str:
    """The status of a validation: that of the first check that fails, or Valid."""
    if license_ is None:
        return "LicenseNotFound"
    return next(_failures(license_, release, request, now), "Valid")


def _failures(
    license_: License, release: str, request: ValidationRequest, now: datetime
) -> Iterator[str]:
    status = license_status(license_, now)
    if status != "Active":
        yield status
    if license_.username is not None:
        if request.username is None or request.password is None:
            yield "CredentialsRequired"
        elif (request.username, request.password) != (license_.username, license_.password):
            yield "CredentialsInvalid"
    if not release_allows(release, request.app_version):
        yield "ReleaseNotAllowed"
    yield from _machine_failures(license_, request.hardware_id)


def _machine_failures(license_: License, hardware_id: str | None) -> Iterator[str]:
    locked = license_.type == "NodeLocked"
    if hardware_id is None:
        if locked:
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


def license_refusal(license_: License | None, now: datetime) -> Refused | None:
    """Why nothing can be had of this license, on the routes that refuse by code."""
    if license_ is None:
        return Refused("LicenseNotFound")
    status = license_status(license_, now)
    if status == "Active":
        return None
    return Refused("LicenseExpired" if status == "Expired" else "LicenseInvalid")


# Devices.


def is_blocked(license_: License, hardware_id: str) -> bool:
    """Whether the vendor has blocked this machine."""
    device = license_.devices.get(hardware_id)
    return device is not None and device.blocked


def bound_device(license_: License) -> Device | None:
    """The machine of a node-locked license."""
    return next((device for device in license_.devices.values() if device.holds_seat), None)


def holds_seat(license_: License, hardware_id: str) -> bool:
    """Whether this machine has a seat of its own."""
    device = license_.devices.get(hardware_id)
    return device is not None and device.holds_seat


def device_seats(license_: License) -> tuple[int, int | None]:
    """Seats that devices hold, and how many there are; no number where there is no cap."""
    used = sum(device.holds_seat for device in license_.devices.values())
    if license_.type == "NodeLocked":
        return used, 1
    return used, license_.seats if license_.type == "Concurrent" else None


def activation_refusal(license_: License, hardware_id: str) -> Refused | None:
    """Why a machine gets no seat of a license that is in order."""
    if is_blocked(license_, hardware_id):
        return Refused("DeviceBlocked")
    used, total = device_seats(license_)
    if holds_seat(license_, hardware_id) or total is None or used < total:
        return None
    return _full("MaxActivationsReached", used, total)


def refresh_refusal(license_: License, hardware_id: str | None) -> Refused | None:
    """Why a valid license gets no file: a Concurrent one is for devices with a seat."""
    if license_.type != "Concurrent" or (hardware_id and holds_seat(license_, hardware_id)):
        return None
    return Refused("ActivationRequired")


# Sessions.


def is_live(session: Session, now: datetime) -> bool:
    """Whether a session holds its place; it loses it the instant that its time has passed."""
    return not session.ended and now < session.expires_at


def live_sessions(license_: License, now: datetime) -> list[Session]:
    """The sessions that are live now, oldest first."""
    return [session for session in license_.sessions if is_live(session, now)]


def replaced_session(
    license_: License, hardware_id: str, instance_id: str | None, now: datetime
) -> Session | None:
    """The earlier session of the same program on the same machine, which makes way."""
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
    """Live sessions, and how many there may be; only Floating has a cap."""
    total = license_.seats if license_.type == "Floating" else None
    return len(live_sessions(license_, now)), total


def connect_refusal(license_: License, hardware_id: str) -> Refused | None:
    """Why this machine may not connect to a license that is in order, seats aside."""
    code = next(_machine_failures(license_, hardware_id), None)
    if code is None and license_.type == "Concurrent" and not holds_seat(license_, hardware_id):
        code = "ActivationRequired"
    return None if code is None else Refused(code)


def full_pool_refusal(license_: License, replaced: Session | None, now: datetime) -> Refused | None:
    """Why there is no session left, counting the one that makes way as free."""
    used, total = session_seats(license_, now)
    if total is None or used - (replaced is not None) < total:
        return None
    return _full("MaxConcurrentSessionsReached", used, total)


def session_refusal(session: Session | None, now: datetime) -> Refused | None:
    """Why a session can be neither kept nor ended by its holder."""
    if session is not None and is_live(session, now):
        return None
    if session is not None and session.cut_off and _is_on_blocked_device(session):
        return Refused("DeviceBlocked")
    return Refused("SessionNotFound")


def _is_on_blocked_device(session: Session) -> bool:
    return is_blocked(session.license, session.hardware_id)


def spacing_refusal(session: Session, spacing: timedelta, now: datetime) -> Refused | None:
    """Why a heartbeat comes too soon; the first of a session never does."""
    if session.last_heartbeat_at is None:
        return None
    left = (session.last_heartbeat_at + spacing - now).total_seconds()
    return Refused("RateLimited", retry_after=math.ceil(left)) if left > 0 else None


def _full(code: str, used: int, total: int) -> Refused:
    return Refused(code, extra={"seatsUsed": used, "seatsTotal": total})

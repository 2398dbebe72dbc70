"""Refusals of a seat, and whether the user may free another device's seat then."""

from __future__ import annotations

from datetime import datetime, timedelta

from licet.testing._problems import Refused
from licet.testing._state import License, State

MAY_RELEASE = timedelta(minutes=10)
YEAR = timedelta(days=365)


def releases_left(state: State, license_: License, now: datetime) -> int:
    """How many more devices applications may release at present."""
    license_.app_releases = [at for at in license_.app_releases if now - at < YEAR]
    return max(0, state.devices.app_releases_per_year - len(license_.app_releases))


def noted(
    state: State, license_: License, hardware_id: str, refusal: Refused, now: datetime
) -> Refused:
    """A refusal with ``canRelease``; the device may release another one for ten minutes."""
    if refusal.code != "MaxActivationsReached":
        return refusal
    license_.refused_seats[hardware_id] = now
    is_open = state.devices.app_release and license_.traits.seat_kind == "Device"
    refusal.extra["canRelease"] = is_open and releases_left(state, license_, now) > 0
    return refusal

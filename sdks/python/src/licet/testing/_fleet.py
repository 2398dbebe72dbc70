"""Fleets: enrollment keys and device tokens, and seats that applications free themselves."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from licet._keys import ALPHABET
from licet.testing._devices import activate_device, remove_device
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
from licet.testing._recognition import COMPONENTS, recognize
from licet.testing._rules import device_seats, holds_seat, is_blocked, license_refusal
from licet.testing._seat_refusals import MAY_RELEASE, releases_left
from licet.testing._state import Device, EnrollmentKey, License, State

RELEASE = "/activations/id/release"
MAX_LISTED = 100
MAX_TOKENS = 20
_RELEASE = re.compile(r"/activations/([^/]+)/release")

_ENROLL = {
    "enrollmentKey": LICENSE_KEY,
    "hardwareId": HARDWARE_ID,
    "deviceName": SHORT_STRING,
    "os": SHORT_STRING,
    "appVersion": SHORT_STRING,
    "metadata": optional(string_map),
    "components": COMPONENTS,
}
_ASK = {"licenseKey": LICENSE_KEY, "hardwareId": HARDWARE_ID, **CREDENTIALS}


def is_release(path: str) -> bool:
    """Whether this is the path of a release by an application."""
    return _RELEASE.fullmatch(path) is not None


def enroll(state: State, request: Request) -> Response:
    """POST /activations/enroll."""
    fields, now = {**read_fields(request.body, _ENROLL), "jkt": request.jkt}, request.now
    license_, key = _find_by_enrollment_key(state, fields["enrollmentKey"], now)
    refusal = license_refusal(license_, now)
    if refusal is not None:
        raise refusal
    recognize(state, license_, fields, now)
    is_new = not holds_seat(license_, fields["hardwareId"])
    if is_new and key.max_devices is not None and key.enrolled >= key.max_devices:
        raise Refused("EnrollmentKeyInvalid", "The enrollment key has enrolled all its devices.")
    _, device = activate_device(state, license_, fields, now)
    key.enrolled += is_new
    token = "dt_" + "".join(secrets.choice(ALPHABET) for _ in range(40)).lower()
    device.tokens = [token, *device.tokens][:MAX_TOKENS]
    used, total = device_seats(license_)
    content = {
        "activationId": device.id,
        "status": device.status,
        "seatsUsed": used,
        "seatsTotal": total,
        "activatedAt": wire_time(device.activated_at),
        "test": license_.test,
        "deviceKey": key_view(device),
        "deviceToken": token,
    }
    return Response(201 if is_new else 200, content)


def list_devices(state: State, request: Request) -> Response:
    """GET /activations."""
    fields, now = read_fields(with_credential_headers(request), _ASK), request.now
    license_ = _find_for_release(state, fields, now, IN_HEADERS)
    holders = [item for item in license_.devices.values() if item.seated and not item.blocked]
    holders.sort(key=lambda item: item.last_seen_at)
    content = {
        "items": [
            {**_view(item, now), "current": item.hardware_id == fields["hardwareId"]}
            for item in holders[:MAX_LISTED]
        ],
        "releasesLeft": releases_left(state, license_, now),
    }
    return Response(200, content)


def release(state: State, request: Request) -> Response:
    """POST /activations/{id}/release."""
    fields, now = read_fields(request.body, _ASK), request.now
    license_ = _find_for_release(state, fields, now)
    refused_at = license_.refused_seats.get(fields["hardwareId"])
    if refused_at is None or now - refused_at > MAY_RELEASE:
        raise Refused("Conflict", "This device was not refused a seat in the last 10 minutes.")
    found = _RELEASE.fullmatch(request.path)
    wanted = found[1] if found is not None else ""
    device = next((item for item in license_.devices.values() if item.id == wanted), None)
    if device is None or not device.holds_seat:
        raise Refused("ActivationNotFound")
    if device.blocked:
        raise Refused("DeviceBlocked")
    if device.released:
        raise Refused("Conflict", "The device was released already.")
    if releases_left(state, license_, now) == 0:
        again = wire_time(min(license_.app_releases) + timedelta(days=365))
        raise Refused("Conflict", f"No more devices can be released until {again}.")
    license_.app_releases.append(now)
    view = _view(device, now)
    remove_device(license_, device, now)
    return Response(200, {**view, "releasesLeft": releases_left(state, license_, now)})


def _find_by_enrollment_key(
    state: State, given: str, now: datetime
) -> tuple[License, EnrollmentKey]:
    for license_ in state.licenses.values():
        for key in license_.enrollment_keys:
            if secrets.compare_digest(key.secret.encode(), given.strip().encode()):
                if key.expires_at is not None and key.expires_at <= now:
                    raise Refused("EnrollmentKeyInvalid", "The enrollment key has expired.")
                return license_, key
    raise Refused("EnrollmentKeyInvalid")


def _find_for_release(
    state: State,
    fields: Mapping[str, Any],
    now: datetime,
    names: tuple[str, str] = ("username", "password"),
) -> License:
    """The license whose devices a device may see: one with a seat, or one that was refused one."""
    if fields["licenseKey"].startswith("licet_ek_"):
        license_, _ = _find_by_enrollment_key(state, fields["licenseKey"], now)
    else:
        license_ = find_own_license(state, fields, names)
    refusal = license_refusal(license_, now)
    if refusal is not None:
        raise refusal
    hardware_id = fields["hardwareId"]
    if is_blocked(license_, hardware_id):
        raise Refused("DeviceBlocked")
    if not state.devices.app_release or license_.traits.seat_kind != "Device":
        raise Refused("Conflict", "Applications cannot release devices of this license.")
    refused_at = license_.refused_seats.get(hardware_id)
    was_refused = refused_at is not None and now - refused_at <= MAY_RELEASE
    if not was_refused and not holds_seat(license_, hardware_id):
        raise Refused("Conflict", "This device was not refused a seat in the last 10 minutes.")
    return license_


def _view(device: Device, now: datetime) -> dict[str, Any]:
    return {
        "id": device.id,
        "deviceName": device.name,
        "os": device.os,
        "lastSeenAt": wire_time(device.last_seen_at),
        "seatFreeAt": wire_time(device.file_ends_at) if device.has_offline_file(now) else None,
    }

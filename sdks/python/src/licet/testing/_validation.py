"""The routes of validation, refresh and key derivation."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from licet._jose import derive_file_key
from licet._keys import MIN_PROTECTION_KEY_LENGTH, key_hash, normal_form
from licet._semver import precedence
from licet._status import MESSAGES, LicenseValidationStatus
from licet.errors import ConfigurationError
from licet.testing._coverage import fallback_until, is_dated, release_of
from licet.testing._device_settings import validation_status
from licet.testing._devices import activate_device, apply_binding, reclaim_seats, register_device
from licet.testing._fields import (
    CREDENTIALS,
    HARDWARE_ID,
    LICENSE_KEY,
    SHORT_STRING,
    boolean,
    optional,
    read_fields,
    string,
    uuid,
)
from licet.testing._keys import protect_file
from licet.testing._messages import Request, Response, find_license, is_token, terms_view, wire_time
from licet.testing._problems import Refused, bad_fields
from licet.testing._recognition import COMPONENTS, recognize
from licet.testing._rules import (
    ValidationRequest,
    activation_refusal,
    evaluate,
    in_fallback,
    license_refusal,
    seat_view,
)
from licet.testing._seat_refusals import noted
from licet.testing._state import EntryPoint, License, Session, State, new_id

VERDICT_SECONDS = 300
SEAT_FILE_LIFETIME = timedelta(days=30)
MIN_SALT_BYTES, MAX_SALT_BYTES = 16, 64

_VALIDATE = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": optional(HARDWARE_ID),
    "deviceName": SHORT_STRING,
    "os": SHORT_STRING,
    "appVersion": SHORT_STRING,
    "sessionId": optional(uuid),
    **CREDENTIALS,
    "nonce": SHORT_STRING,
    "signed": boolean,
    "activate": boolean,
    "file": boolean,
    "deviceKeyLevel": SHORT_STRING,
    "components": COMPONENTS,
}
_REFRESH = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": optional(HARDWARE_ID),
    **CREDENTIALS,
    "protected": boolean,
    "components": COMPONENTS,
}
_DERIVE = {"licenseKey": LICENSE_KEY, "salt": string(300)}

_SEATS_OF_DEVICES = frozenset({"Device", "Machine"})
_READY_FOR_SEAT = frozenset({"Valid", "ActivationRequired"})
_HIDDEN = frozenset({"CredentialsRequired", "CredentialsInvalid"})
_CODES = {"Expired": "LicenseExpired", "Revoked": "LicenseInvalid", "Suspended": "LicenseInvalid"}
_CODES["CredentialsInvalid"] = "InvalidCredentials"
_FIELDS = {
    "HardwareIdRequired": ("hardwareId",),
    "ActivationRequired": ("hardwareId",),
    "CredentialsRequired": ("username", "password"),
}


def validate(state: State, request: Request) -> Response:
    """POST /licenses/validate."""
    fields, now = {**read_fields(request.body, _VALIDATE), "jkt": request.jkt}, request.now
    license_, status = _verdict(state, fields, "Validate", now)
    file = reason = None
    if license_ is not None and fields["activate"]:
        status, reason = _activate(state, license_, status, fields, now)
    if license_ is not None and fields["file"]:
        status, reason, file = _add_file(state, license_, status, reason, fields, now)
    terms = seat = None
    if license_ is not None and status not in _HIDDEN:
        terms = {"id": license_.id, **terms_view(license_, now)}
        seat = seat_view(license_, fields["hardwareId"], _session(state, license_, fields), now)
    content = {
        "valid": status == "Valid",
        "status": status,
        "message": reason or MESSAGES[LicenseValidationStatus(status)],
        "license": terms,
        "activation": _activation(license_, fields["hardwareId"]) if terms else None,
        "seat": seat,
        "warnings": _warnings(state, license_, fields, now) if license_ and terms else [],
        "serverTime": wire_time(now),
        "nonce": fields["nonce"],
        "requestId": request.request_id,
        **({"file": file} if file is not None else {}),
    }
    if fields["signed"]:
        content["token"] = _sign_verdict(state, fields, content, now)
    return Response(200, content)


def _warnings(
    state: State, license_: License, fields: Mapping[str, Any], now: datetime
) -> list[str]:
    """What could not be checked: a version that is not comparable, or has no date."""
    version = fields["appVersion"]
    if version is None or release_of(version, state.releases) is not None:
        return []
    is_compared = None not in {
        precedence(item) for item in (state.product.release_version, version)
    }
    if is_compared and not is_dated(license_, now):
        return []
    return ["VersionNotComparable"]


def refresh(state: State, request: Request) -> Response:
    """POST /licenses/refresh."""
    fields, now = {**read_fields(request.body, _REFRESH), "jkt": request.jkt}, request.now
    license_, status = _verdict(state, fields, "Refresh", now)
    if license_ is None:
        raise _refusal_for(status, fields)
    file = _make_file(state, license_, status, fields, now)
    return Response(200, {"file": file, "expiresAt": wire_time(_file_end(state, license_, now))})


def _make_file(
    state: State, license_: License, status: str, fields: Mapping[str, Any], now: datetime
) -> str:
    """Create the license.bin that was requested, for a device that takes a seat where it has to.

    Raises:
        Refused: The license is not valid, or has no seat for the device.
    """
    hardware_id = fields["hardwareId"]
    if license_.file_takes_seat and hardware_id is not None:
        status = _take_seat(state, license_, status, fields, now)
    if status != "Valid":
        raise _refusal_for(status, fields)
    return make_license_file(
        state,
        license_,
        hardware_id if license_.traits.file_names_device else None,
        protected=bool(fields.get("protected")),
        now=now,
        token=fields["licenseKey"] if is_token(fields["licenseKey"]) else None,
    )


def _activate(
    state: State, license_: License, status: str, fields: Mapping[str, Any], now: datetime
) -> tuple[str, str | None]:
    """Activate the device of a validation; returns the status then, and why there is no seat."""
    if license_.traits.seat_kind not in _SEATS_OF_DEVICES or status not in _READY_FOR_SEAT:
        return status, None
    if fields["hardwareId"] is None:
        return "HardwareIdRequired", None
    reason = None
    try:
        activate_device(state, license_, fields, now)
    except Refused as refusal:
        reason = refusal.detail
    _, status = _verdict(state, fields, "Validate", now)
    return status, reason if status == "ActivationRequired" else None


def _add_file(
    state: State,
    license_: License,
    status: str,
    reason: str | None,
    fields: Mapping[str, Any],
    now: datetime,
) -> tuple[str, str | None, str | None]:
    """Create a license.bin with a verdict; returns the status then, its reason, and the file."""
    try:
        file = _make_file(state, license_, status, fields, now)
    except Refused as refusal:
        is_full = status == "ActivationRequired" and refusal.code == "MaxActivationsReached"
        return status, refusal.detail if is_full else reason, None
    return "Valid", None, file


def derive_key(_state: State, request: Request) -> Response:
    """POST /security/derive-key, a pure function of the request."""
    fields = read_fields(request.body, _DERIVE)
    errors = []
    key, salt = _protecting_key(fields["licenseKey"]), _salt(fields["salt"])
    if key is None:
        errors.append(("licenseKey", f"must have at least {MIN_PROTECTION_KEY_LENGTH} characters."))
    if salt is None:
        errors.append(("salt", f"must be {MIN_SALT_BYTES} to {MAX_SALT_BYTES} bytes in base64url."))
    if key is None or salt is None:
        raise bad_fields(errors)
    derived = _base64url(derive_file_key(key, salt))
    return Response(200, {"derivedKey": derived, "algorithm": "HKDF-SHA256"})


def make_license_file(
    state: State,
    license_: License,
    hardware_id: str | None,
    *,
    protected: bool,
    now: datetime,
    token: str | None = None,
) -> str:
    """Create the text of license.bin, for one device if ``hardware_id`` is given.

    One that was asked for with the token of a device does not contain the license key. If the file
    takes a seat, the device holds one.

    Raises:
        Refused: ``Conflict`` if the license key is too short to protect a file.
    """
    if protected and len(license_.normal_key) < MIN_PROTECTION_KEY_LENGTH:
        raise Refused(
            "Conflict", "The license key is too short to protect a file. Request the plain form."
        )
    claims = file_claims(state, license_, hardware_id, now)
    if token is not None:
        del claims["license"]["key"]
    file = state.keys.sign("license+jwt", claims)
    device, end = license_.devices.get(hardware_id or ""), _file_end(state, license_, now)
    if license_.file_takes_seat and device is not None and end is not None:
        device.file_ends_at = max(end, device.file_ends_at or end)
    return protect_file(file, token or license_.normal_key) if protected else file


def _take_seat(
    state: State, license_: License, status: str, fields: Mapping[str, Any], now: datetime
) -> str:
    """Give a seat to the device that a file is for; returns the status with the seat."""
    if status not in _READY_FOR_SEAT:
        return status
    reclaim_seats(state, license_, fields["hardwareId"], now)
    refusal = activation_refusal(license_, fields["hardwareId"])
    if refusal is not None:
        raise noted(state, license_, fields["hardwareId"], refusal, now)
    register_device(license_, fields, now, seat=True)
    return "Valid"


def _session(state: State, license_: License, fields: Mapping[str, Any]) -> Session | None:
    """The session that a request named; one that has ended if it is not of this license."""
    if fields["sessionId"] is None:
        return None
    found = state.sessions.get(fields["sessionId"].lower())
    if found is not None and found.license is license_:
        return found
    return Session("", license_, "", None, state.now, state.now, ended=True)


def _verdict(
    state: State, fields: Mapping[str, Any], entry_point: EntryPoint, now: datetime
) -> tuple[License | None, str]:
    license_ = find_license(state, fields["licenseKey"], fields["hardwareId"])
    if license_ is not None and license_refusal(license_, now) is None:
        recognize(state, license_, fields, now)
    request = ValidationRequest(
        fields["hardwareId"],
        fields.get("appVersion"),
        fields["username"],
        fields["password"],
        fields["jkt"],
    )
    release = release_of(request.app_version, state.releases)
    status = evaluate(license_, state.product.release_version, release, request, now)
    if license_ is not None:
        status = validation_status(state, license_, fields["hardwareId"], status)
        apply_binding(license_, status, fields, entry_point, now)
    return license_, status


def _activation(license_: License | None, hardware_id: str | None) -> dict[str, Any] | None:
    device = license_.devices.get(hardware_id or "") if license_ is not None else None
    return None if device is None or device.released else {"id": device.id, "status": device.status}


def _sign_verdict(
    state: State, fields: Mapping[str, Any], content: Mapping[str, Any], now: datetime
) -> str:
    issued = int(now.timestamp())
    claims = {
        "aud": state.product.id,
        "iat": issued,
        "exp": issued + VERDICT_SECONDS,
        "nonce": fields["nonce"],
        "valid": content["valid"],
        "status": content["status"],
        "licenseKeyHash": _hash(fields["licenseKey"]),
        "hardwareId": fields["hardwareId"],
        "license": content["license"],
        "seat": content["seat"],
    }
    return state.keys.sign("verdict+jwt", claims)


def file_claims(
    state: State, license_: License, hardware_id: str | None, now: datetime
) -> dict[str, Any]:
    """The claims of license.bin, for one device if ``hardware_id`` is given."""
    issued, product = int(now.timestamp()), state.product
    claims: dict[str, Any] = {
        "iss": "https://licet.test",
        "sub": license_.id,
        "aud": product.id,
        "jti": new_id(now),
        "iat": issued,
        "nbf": issued,
        "license": {
            "key": license_.key,
            "issuer": license_.issuer,
            **terms_view(license_, now),
        },
        "product": {"id": product.id, "name": product.name},
        "release": {"id": product.release_id, "version": product.release_version},
    }
    end = _file_end(state, license_, now)
    if end is not None:
        claims["exp"] = int(end.timestamp())
    if hardware_id is not None:
        claims["hardwareIds"] = [hardware_id]
    device = license_.devices.get(hardware_id or "")
    # A device whose key was lost goes on with a new one where nobody asks for a proof.
    if license_.device_proof != "Off" and device is not None and device.key is not None:
        claims["cnf"] = {"jkt": device.key.jkt}
    if license_.machine_match is not None and device is not None and device.components:
        at_least, of = license_.machine_match
        claims["components"] = {name: item.value for name, item in device.components.items()}
        claims["machineMatch"] = {"atLeast": at_least, "of": of}
    return claims


def _file_end(state: State, license_: License, now: datetime) -> datetime | None:
    lifetime = state.product.file_lifetime
    if lifetime is None and license_.file_takes_seat:
        lifetime = SEAT_FILE_LIFETIME
    is_kept = fallback_until(license_) is not None and not license_.file_takes_seat
    ends = [
        None if is_kept or in_fallback(license_, now) else license_.valid_until,
        None if lifetime is None else now + lifetime,
    ]
    return min((end for end in ends if end is not None), default=None)


def _refusal_for(status: str, fields: Mapping[str, Any]) -> Refused:
    needed = _FIELDS.get(status, ())
    missing = [(name, "is required for this license.") for name in needed if fields[name] is None]
    return bad_fields(missing) if missing else Refused(_CODES.get(status, status))


def _hash(license_key: str) -> str:
    try:
        return key_hash(normal_form(license_key))
    except ConfigurationError:
        return _base64url(hashlib.sha256(license_key.strip().encode()).digest())


def _protecting_key(license_key: str) -> str | None:
    try:
        key = normal_form(license_key)
    except ConfigurationError:
        return None
    return key if len(key) >= MIN_PROTECTION_KEY_LENGTH else None


def _salt(text_: str) -> bytes | None:
    unpadded = text_.rstrip("=")
    if not unpadded.isascii() or not unpadded.replace("-", "").replace("_", "").isalnum():
        return None
    try:
        salt = urlsafe_b64decode(unpadded + "=" * (-len(unpadded) % 4))
    except (Base64Error, ValueError):
        return None
    return salt if MIN_SALT_BYTES <= len(salt) <= MAX_SALT_BYTES else None


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")

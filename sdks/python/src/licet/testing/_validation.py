"""Verdicts and license files: the routes that ask what a license is worth."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from licet._jose import derive_file_key
from licet._keys import SHORTEST_FOR_PROTECTION, key_hash, normal_form
from licet._status import SENTENCES, LicenseValidationStatus
from licet.errors import ConfigurationError
from licet.testing._answers import Answer, Call, find_license, license_terms, wire_time
from licet.testing._devices import settle_binding
from licet.testing._fields import HARDWARE_ID, LICENSE_KEY, SHORT, flag, optional, read_fields, text
from licet.testing._keys import seal
from licet.testing._refusals import Refused, bad_fields
from licet.testing._rules import Question, bound_device, judge, refusal_to_refresh
from licet.testing._state import License, State, new_id

VERDICT_SECONDS = 300
SHORTEST_SALT, LONGEST_SALT = 16, 64

_PASSWORD = optional(text(1000))
_VALIDATE = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": optional(HARDWARE_ID),
    "deviceName": SHORT,
    "appVersion": SHORT,
    "username": SHORT,
    "password": _PASSWORD,
    "nonce": SHORT,
    "signed": flag,
}
_REFRESH = {
    "licenseKey": LICENSE_KEY,
    "hardwareId": optional(HARDWARE_ID),
    "username": SHORT,
    "password": _PASSWORD,
    "protected": flag,
}
_DERIVE = {"licenseKey": LICENSE_KEY, "salt": text(300)}

_HIDDEN = frozenset({"CredentialsRequired", "CredentialsInvalid"})
_CODES = {"Expired": "LicenseExpired", "Revoked": "LicenseInvalid", "Suspended": "LicenseInvalid"}
_CODES["CredentialsInvalid"] = "InvalidCredentials"
_FIELDS = {"HardwareIdRequired": "hardwareId", "CredentialsRequired": "username"}


def validate(state: State, call: Call) -> Answer:
    """POST /licenses/validate."""
    asked, now = read_fields(call.body, _VALIDATE), call.now
    license_, status = _verdict(state, asked, now)
    terms = None
    if license_ is not None and status not in _HIDDEN:
        terms = {"id": license_.id, **license_terms(license_, now)}
    content = {
        "valid": status == "Valid",
        "status": status,
        "message": SENTENCES[LicenseValidationStatus(status)],
        "license": terms,
        "activation": _activation(license_, asked["hardwareId"]) if terms else None,
        "serverTime": wire_time(now),
        "nonce": asked["nonce"],
        "requestId": call.request_id,
    }
    if asked["signed"]:
        content["token"] = _sign_verdict(state, asked, content, now)
    return Answer(200, content)


def refresh(state: State, call: Call) -> Answer:
    """POST /licenses/refresh."""
    asked, now = read_fields(call.body, _REFRESH), call.now
    license_, status = _verdict(state, asked, now)
    if license_ is None or status != "Valid":
        raise _refused_by(status)
    refusal = refusal_to_refresh(license_, asked["hardwareId"])
    if refusal is not None:
        raise refusal if asked["hardwareId"] else bad_fields([("hardwareId", "is missing.")])
    bound = bound_device(license_) if license_.type == "NodeLocked" else None
    machine = bound.hardware_id if bound is not None else None
    file = make_file(state, license_, machine, protected=bool(asked["protected"]), now=now)
    return Answer(200, {"file": file, "expiresAt": wire_time(_file_end(state, license_, now))})


def derive_key(_state: State, call: Call) -> Answer:
    """POST /security/derive-key, a pure function of what is sent."""
    asked = read_fields(call.body, _DERIVE)
    errors = []
    key, salt = _protecting_key(asked["licenseKey"]), _salt(asked["salt"])
    if key is None:
        errors.append(("licenseKey", f"needs {SHORTEST_FOR_PROTECTION} characters or more."))
    if salt is None:
        errors.append(("salt", f"has to be {SHORTEST_SALT} to {LONGEST_SALT} bytes in base64url."))
    if key is None or salt is None:
        raise bad_fields(errors)
    derived = _base64url(derive_file_key(key, salt))
    return Answer(200, {"derivedKey": derived, "algorithm": "HKDF-SHA256"})


def make_file(
    state: State, license_: License, machine: str | None, *, protected: bool, now: datetime
) -> str:
    """The text of license.bin.

    Raises:
        Refused: ``Conflict`` where the key is too short to protect a file.
    """
    if protected and len(license_.normal_key) < SHORTEST_FOR_PROTECTION:
        raise Refused("Conflict", "The license key is too short to protect a file with.")
    token = state.keys.sign("license+jwt", _file_claims(state, license_, machine, now))
    return seal(token, license_.normal_key) if protected else token


def _verdict(state: State, asked: Mapping[str, Any], now: datetime) -> tuple[License | None, str]:
    license_ = find_license(state, asked["licenseKey"])
    question = Question(
        asked["hardwareId"], asked.get("appVersion"), asked["username"], asked["password"]
    )
    status = judge(license_, state.product.release_version, question, now)
    if license_ is not None:
        settle_binding(license_, status, asked, "Validate", now)
    return license_, status


def _activation(license_: License | None, hardware_id: str | None) -> dict[str, Any] | None:
    device = license_.devices.get(hardware_id or "") if license_ is not None else None
    return None if device is None else {"id": device.id, "status": device.status}


def _sign_verdict(
    state: State, asked: Mapping[str, Any], content: Mapping[str, Any], now: datetime
) -> str:
    issued = int(now.timestamp())
    claims = {
        "aud": state.product.id,
        "iat": issued,
        "exp": issued + VERDICT_SECONDS,
        "nonce": asked["nonce"],
        "valid": content["valid"],
        "status": content["status"],
        "licenseKeyHash": _hash(asked["licenseKey"]),
        "hardwareId": asked["hardwareId"],
        "license": content["license"],
    }
    return state.keys.sign("verdict+jwt", claims)


def _file_claims(
    state: State, license_: License, machine: str | None, now: datetime
) -> dict[str, Any]:
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
            **license_terms(license_, now),
        },
        "product": {"id": product.id, "name": product.name},
        "release": {"id": product.release_id, "version": product.release_version},
    }
    end = _file_end(state, license_, now)
    if end is not None:
        claims["exp"] = int(end.timestamp())
    if machine is not None:
        claims["hardwareIds"] = [machine]
    return claims


def _file_end(state: State, license_: License, now: datetime) -> datetime | None:
    lifetime = state.product.file_lifetime
    ends = [license_.expiration_date, None if lifetime is None else now + lifetime]
    return min((end for end in ends if end is not None), default=None)


def _refused_by(status: str) -> Refused:
    field = _FIELDS.get(status)
    if field is not None:
        return bad_fields([(field, "is needed for this license.")])
    return Refused(_CODES.get(status, status))


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
    return key if len(key) >= SHORTEST_FOR_PROTECTION else None


def _salt(text_: str) -> bytes | None:
    plain = text_.rstrip("=")
    if not plain.isascii() or not plain.replace("-", "").replace("_", "").isalnum():
        return None
    try:
        salt = urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    except (Base64Error, ValueError):
        return None
    return salt if SHORTEST_SALT <= len(salt) <= LONGEST_SALT else None


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")

"""The claims of license.bin, and when it must be refreshed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from licet_server.licenses.rules.entitlements import Entitlements
from licet_server.licenses.rules.model import AtLeast, DeviceProof, License
from licet_server.licenses.rules.tokens import is_token

FILE_TYPE = "license+jwt"
BASE_FILE_TYPE = "license-base+jwt"
"""Of a file that is valid with a code only. Applications that know no codes refuse this type."""


@dataclass(frozen=True, slots=True)
class FileDevice:
    """The device that a file is for: its hardware ID, and the thumbprint of its key, if any.

    Where its license recognizes it by `components`, they are those that it has now.
    """

    hardware_id: str
    jkt: str | None = None
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """The request of a machine without a connection that a file answers, and when the file ends."""

    nonce: str
    seq: int
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class FileContext:
    """What a license file contains besides its license.

    A base file has the `code_key` whose codes make it valid; a file that answers a request says so.
    """

    issuer: str
    product_name: str
    release_version: str
    entitlements: Entitlements
    device: FileDevice | None
    lifetime_days: int | None
    answer: FileAnswer | None = None
    code_key: Mapping[str, str] | None = None


def lifetime_days(license_: License, product_days: int | None) -> int | None:
    """Return how long a file lasts at most; `None` for as long as the license."""
    if product_days is None and license_.file_takes_seat:
        return license_.traits.seat_file_days
    return product_days


def refresh_by(license_: License, lifetime_days: int | None, now: datetime) -> datetime | None:
    """Return when a file issued now must be refreshed: at the end of license or lifetime."""
    ends = [license_.ends_at(now)]
    if lifetime_days is not None:
        ends.append(now + timedelta(days=lifetime_days))
    return min((end for end in ends if end is not None), default=None)


def license_claim(
    license_: License, entitlements: Entitlements, now: datetime
) -> dict[str, object]:
    """Return the `license` claim of a file.

    An application compares `expirationDate` itself, so it is told when the license stops being
    valid: with a grace, that is the end of the grace. In the fallback there is no such end: the
    application compares the date of its own release with `fallbackUntil`, and at all times with
    `updatesUntil`. A device that was enrolled does not learn the key.
    """
    features, values = entitlements.features, entitlements.values
    key = license_.license_key
    return ({} if is_token(key) else {"key": key}) | {
        "type": license_.type.value,
        "status": license_.status(now).value,
        "test": license_.test,
        "name": license_.license_name,
        "issuedTo": license_.issued_to,
        "issuer": license_.issuer,
        "expirationDate": wire_time(license_.ends_at(now)),
        "inGraceUntil": wire_time(license_.in_grace_until(now)),
        "updatesUntil": wire_time(license_.updates_until),
        "fallbackUntil": wire_time(license_.fallback_until),
        "inFallback": license_.in_fallback(now),
        "activationMode": license_.activation_mode.value,
        "maxActiveUsersCount": license_.max_active_users_count,
        "features": list(features) if features is not None else None,
        "entitlements": dict(values) if values is not None else None,
        "metadata": dict(license_.metadata),
    }


def file_claims(
    license_: License, context: FileContext, file_id: UUID, now: datetime
) -> dict[str, object]:
    issued = int(now.timestamp())
    claims: dict[str, object] = {
        "iss": context.issuer,
        "sub": str(license_.id),
        "aud": str(license_.product_id),
        "jti": str(file_id),
        "iat": issued,
        "nbf": issued,
        "license": license_claim(license_, context.entitlements, now),
        "product": {"id": str(license_.product_id), "name": context.product_name},
        "release": {
            "id": str(license_.software_release_id),
            "version": context.release_version,
        },
    }
    if context.code_key is not None:
        return {**claims, "codeKey": dict(context.code_key)}
    ends = _file_end(license_, context, now)
    if ends is not None:
        claims["exp"] = int(ends.timestamp())
    if context.answer is not None:
        claims["request"] = {"nonce": context.answer.nonce, "seq": context.answer.seq}
    if context.device is not None:
        claims["hardwareIds"] = [context.device.hardware_id]
        # Without this, a device that lost its key could use no file until somebody frees it.
        is_bound = context.answer is not None or license_.device_proof is not DeviceProof.OFF
        if context.device.jkt is not None and is_bound:
            claims["cnf"] = {"jkt": context.device.jkt}
        claims |= _component_claims(license_, context.device.components)
    return claims


def _component_claims(license_: License, components: Mapping[str, str]) -> dict[str, object]:
    match = license_.machine_match
    if not isinstance(match, AtLeast) or len(components) < match.of:
        return {}
    return {
        "components": dict(components),
        "machineMatch": {"atLeast": match.at_least, "of": match.of},
    }


def _file_end(license_: License, context: FileContext, now: datetime) -> datetime | None:
    """Return when a file ends by itself; one that holds a seat ends when the seat is free."""
    lifetime_days = context.lifetime_days
    if context.answer is not None:
        return context.answer.ends_at
    if license_.fallback_until is None or license_.file_takes_seat:
        return refresh_by(license_, lifetime_days, now)
    # What the license keeps after its term, it keeps without another file.
    return refresh_by(replace(license_, expiration_date=None), lifetime_days, now)


def wire_time(instant: datetime | None) -> str | None:
    """RFC 3339 in UTC with a `Z`."""
    return None if instant is None else instant.isoformat().replace("+00:00", "Z")

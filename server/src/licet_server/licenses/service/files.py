"""Issues license.bin: a JWS under the signing key, encrypted under the license key on request."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from joserfc import jwe
from joserfc.jwk import OctKey

from licet_server.catalog.reading import product_settings
from licet_server.catalog.service.signing import SigningKeys, sign
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.ids import new_id
from licet_server.licenses import errors
from licet_server.licenses.rules.file import (
    BASE_FILE_TYPE,
    FILE_TYPE,
    FileAnswer,
    FileContext,
    FileDevice,
    file_claims,
    lifetime_days,
    refresh_by,
)
from licet_server.licenses.rules.keys import (
    PROTECTABLE_MIN,
    SALT_MAX,
    SALT_MIN,
    can_protect,
    derive_file_key,
    normal_form,
)
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.service.reading import fetch_details

_FILE_SALT_BYTES = 16
_JWE = jwe.JWERegistry(algorithms=["dir", "A256GCM"], strict_check_header=False)


@dataclass(frozen=True, slots=True)
class LicenseFile:
    """The text of a license.bin, and when it must be refreshed (`None`: never)."""

    text: str
    refresh_by: datetime | None


@dataclass(frozen=True, slots=True)
class AnsweredDevice:
    """A device without a connection, and the file that answers its request: its ID and time."""

    device: FileDevice
    answer: FileAnswer
    file_id: UUID
    made_at: datetime


async def make_file(
    db: Connection,
    signing_keys: SigningKeys,
    license_: License,
    *,
    issuer: str,
    device: FileDevice | None,
    protected: bool,
    now: datetime,
) -> LicenseFile:
    """Return a fresh license.bin for an active license.

    Raises:
        Refused: `Conflict` for a license that is not active or whose key is too short to protect
            a file; `KeysNotGenerated`.
    """
    _require_possible(license_, now)
    if protected and not can_protect(license_.normal_key):
        raise errors.key_too_short_to_protect()
    context = await _context(db, license_, device, issuer)
    key = await signing_keys.fetch(db, license_.institution_id, license_.product_id)
    claims = file_claims(license_, context, new_id(now), now)
    signed = await sign(key, FILE_TYPE, claims)
    text = _protect(signed, license_.normal_key) if protected else signed
    return LicenseFile(text=text, refresh_by=refresh_by(license_, context.lifetime_days, now))


async def make_answer(
    db: Connection,
    signing_keys: SigningKeys,
    license_: License,
    answered: AnsweredDevice,
    *,
    issuer: str,
    now: datetime,
) -> str:
    """Return license.bin for a machine without a connection; the same again for the same answer.

    Raises:
        Refused: `Conflict` for a license that is not active; `KeysNotGenerated`.
    """
    _require_possible(license_, now)
    context = replace(await _context(db, license_, answered.device, issuer), answer=answered.answer)
    key = await signing_keys.fetch(db, license_.institution_id, license_.product_id)
    claims = file_claims(license_, context, answered.file_id, answered.made_at)
    return await sign(key, FILE_TYPE, claims)


async def make_base_file(
    db: Connection,
    signing_keys: SigningKeys,
    license_: License,
    code_key: Mapping[str, str],
    *,
    issuer: str,
    now: datetime,
) -> str:
    """Return a file for any machine that is valid only with an answer code for the machine.

    Raises:
        Refused: `Conflict` for a license that is not active; `KeysNotGenerated`.
    """
    _require_possible(license_, now)
    context = replace(await _context(db, license_, None, issuer), code_key=code_key)
    key = await signing_keys.fetch(db, license_.institution_id, license_.product_id)
    claims = file_claims(license_, context, new_id(now), now)
    return await sign(key, BASE_FILE_TYPE, claims)


def _require_possible(license_: License, now: datetime) -> None:
    status = license_.status(now)
    if status is not LicenseStatus.ACTIVE:
        raise errors.no_file_for(status)
    if license_.pending_term is not None:
        raise ValueError("a file is made after the term has begun, so that it ends with it")


async def _context(
    db: Connection, license_: License, device: FileDevice | None, issuer: str
) -> FileContext:
    [details] = await fetch_details(db, [license_])
    settings = await product_settings(db, license_.institution_id, license_.product_id)
    return FileContext(
        issuer=issuer,
        product_name=details.product_name,
        release_version=details.release_version,
        entitlements=details.entitlements,
        device=device,
        lifetime_days=lifetime_days(license_, settings.offline_file_lifetime_days),
    )


def derive_key(license_key: str, salt: str) -> str:
    """Return the key of a protected file, base64url, derived from the license key and the salt.

    Raises:
        Refused: `InvalidRequest` naming every bad field.
    """
    found: list[FieldError] = []
    normal_key = normal_form(license_key)
    if normal_key is None or not can_protect(normal_key):
        message = f"must be a license key of at least {PROTECTABLE_MIN} characters."
        found.append(FieldError("licenseKey", message))
    salt_bytes = _decode_base64url(salt)
    if salt_bytes is None or not SALT_MIN <= len(salt_bytes) <= SALT_MAX:
        message = f"must be {SALT_MIN} to {SALT_MAX} bytes in base64url."
        found.append(FieldError("salt", message))
    if normal_key is None or salt_bytes is None or found:
        raise bad_fields(found)
    return _encode_base64url(derive_file_key(normal_key, salt_bytes))


def _protect(signed: str, normal_key: str) -> str:
    salt = secrets.token_bytes(_FILE_SALT_BYTES)
    header = {
        "alg": "dir",
        "enc": "A256GCM",
        "cty": FILE_TYPE,
        "salt": _encode_base64url(salt),
    }
    key = OctKey.import_key(derive_file_key(normal_key, salt))
    return jwe.encrypt_compact(header, signed, key, registry=_JWE)


def _encode_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode_base64url(text: str) -> bytes | None:
    plain = text.rstrip("=")
    if not plain.isascii() or not plain.replace("-", "").replace("_", "").isalnum():
        return None
    try:
        return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    except (Base64Error, ValueError):
        return None

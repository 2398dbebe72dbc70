"""Typed claims of license.bin and of verdicts, with every field checked.

The signature has been verified at this point, so a claim of the wrong type means an incompatible
issuer rather than an attack. It is rejected all the same.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, cast, get_args

from licet._clock import optional_epoch, parse_rfc3339
from licet._code_key import CodeKey
from licet._error_codes import optional_int
from licet._jose import (
    RejectedTokenError,
    decode_segment,
    is_protected,
    open_protected,
    read_object,
    verify_token,
)
from licet._keys import key_in_file
from licet._license_models import LicenseStatus, LicenseType, SeatKind
from licet._model import EntitlementValue, License, LicenseSeat, Product, Release
from licet._public_key import PublicKey
from licet._read_only import ReadOnlyDict

FILE_TYP = "license+jwt"
BASE_TYP = "license-base+jwt"
MAX_WHOLE = (1 << 53) - 1
MAX_NUMBER = sys.float_info.max
MIN_OF, MAX_OF = 2, 8
"""How many components may be compared."""


class AnsweredRequest(NamedTuple):
    """The offline request that a license.bin answers."""

    nonce: str
    seq: int


@dataclass(frozen=True, slots=True)
class LicenseFile:
    """A license.bin whose signature and product have been verified.

    Attributes:
        normal_key: The normal form of its license key, if it has one; the file of an enrolled
            device is that of its token.
        jkt: The thumbprint of the only device key with which it is used, if it names one.
        request: The offline request that it answers, if it answers one.
        code_key: Of a base file, which is no license without a typed code: the key that signs
            such codes.
        components: The components of the machine that it is for; none if it is for its ID alone.
        least_equal: How many of them another ID's machine has to have; ``None`` without them.
    """

    license: License
    product: Product
    release: Release
    token_id: str | None
    issued_at: datetime
    not_before: datetime
    refresh_by: datetime | None
    hardware_ids: tuple[str, ...]
    protected: bool
    normal_key: str | None
    jkt: str | None = None
    request: AnsweredRequest | None = None
    code_key: CodeKey | None = None
    components: Mapping[str, str] = field(default_factory=dict)
    least_equal: int | None = None

    @property
    def online(self) -> bool:
        """Whether this license has to be checked with the server."""
        is_by_request = self.request is not None or self.code_key is not None
        return self.license.activation_mode != "Offline" and not is_by_request


def open_license_file(
    text: str, keys: Sequence[PublicKey], *, product_id: str, normal_key: str | None
) -> LicenseFile:
    """Verify license.bin and read its claims.

    Raises:
        RejectedTokenError: The file was edited, is not signed with a trusted key, or belongs to
            another product.
    """
    protected = is_protected(text)
    if protected:
        if normal_key is None:
            raise RejectedTokenError("it is protected and no license key was given to decrypt it")
        text = open_protected(text, normal_key)
    is_base = not protected and is_base_file(text)
    claims = verify_token(text, keys, typ=BASE_TYP if is_base else FILE_TYP, need_kid=True)
    if claims.get("aud") != product_id:
        raise RejectedTokenError("it belongs to another product")
    file = read_file_claims(claims, protected=protected)
    return _as_base_file(file, claims) if is_base else replace(file, request=_answered(claims))


def is_base_file(text: str) -> bool:
    """Whether this calls itself a base file. Verifies nothing."""
    return _unverified(text, 0).get("typ") == BASE_TYP


def is_by_request(text: str) -> bool:
    """Whether this calls itself a base file or an answer to a request. Verifies nothing."""
    return is_base_file(text) or "request" in _unverified(text, 1)


def _unverified(text: str, part: int) -> Mapping[str, Any]:
    segments = text.split(".")
    try:
        return read_object(decode_segment(segments[part])) if len(segments) == 3 else {}
    except RejectedTokenError:
        return {}


def _as_base_file(file: LicenseFile, claims: Mapping[str, Any]) -> LicenseFile:
    """A base file, which names no device: only a code does."""
    read_string(claims, "jti")
    try:
        key = CodeKey.parse(claims.get("codeKey"))
    except ValueError as error:
        raise RejectedTokenError("its claims are malformed: codeKey") from error
    return replace(file, hardware_ids=(), jkt=None, code_key=key)


def _answered(claims: Mapping[str, Any]) -> AnsweredRequest | None:
    """The request that a file answers, which then is of one device and ends."""
    if claims.get("request") is None:
        return None
    request = read_mapping(claims, "request")
    nonce, seq = read_string(request, "nonce"), optional_int(request.get("seq"))
    names_device = _read_jkt(claims) is not None and len(claims.get("hardwareIds") or ()) == 1
    if seq is None or seq < 1 or not names_device:
        raise RejectedTokenError("its claims are malformed: request")
    read_epoch(claims, "exp")
    read_string(claims, "jti")
    return AnsweredRequest(nonce, seq)


def read_file_claims(claims: Mapping[str, Any], *, protected: bool) -> LicenseFile:
    """Read the claims of license.bin. Does not verify the signature."""
    raw = read_mapping(claims, "license")
    license_ = read_license({**raw, "id": read_string(claims, "sub")})
    release, product = _optional_mapping(claims, "release"), _optional_mapping(claims, "product")
    issued_at = read_epoch(claims, "iat")
    components = _read_texts(claims, "components")
    return LicenseFile(
        license=license_,
        product=Product(id=read_string(claims, "aud"), name=optional_string(product, "name")),
        release=Release(
            id=optional_string(release, "id"), version=optional_string(release, "version")
        ),
        token_id=optional_string(claims, "jti"),
        issued_at=issued_at,
        not_before=read_epoch(claims, "nbf") if "nbf" in claims else issued_at,
        refresh_by=read_epoch(claims, "exp") if claims.get("exp") is not None else None,
        hardware_ids=read_strings(claims, "hardwareIds") or (),
        protected=protected,
        normal_key=key_in_file(license_.key),
        jkt=_read_jkt(claims),
        components=components,
        least_equal=_read_match(claims, len(components)),
    )


def read_license(raw: Mapping[str, Any]) -> License:
    """Read the ``license`` object of a file or a verdict."""
    mode = optional_string(raw, "activationMode") or "Online"
    return License(
        id=read_string(raw, "id"),
        key=optional_string(raw, "key"),
        type=LicenseType(read_string(raw, "type")),
        status=LicenseStatus(read_string(raw, "status")),
        name=optional_string(raw, "name"),
        issued_to=optional_string(raw, "issuedTo"),
        issuer=optional_string(raw, "issuer"),
        expiration_date=optional_time_claim(raw, "expirationDate"),
        activation_mode=mode,
        max_active_users_count=_optional_whole(raw, "maxActiveUsersCount"),
        features=read_strings(raw, "features"),
        metadata=_read_texts(raw, "metadata"),
        entitlements=_read_entitlements(raw),
        seat=read_seat(raw.get("seat")),
        updates_until=optional_time_claim(raw, "updatesUntil"),
        fallback_until=optional_time_claim(raw, "fallbackUntil"),
        in_fallback=raw.get("inFallback") is True,
        test=raw.get("test") is True,
    )


def _read_jkt(claims: Mapping[str, Any]) -> str | None:
    if claims.get("cnf") is None:
        return None
    return read_string(read_mapping(claims, "cnf"), "jkt")


def _read_match(claims: Mapping[str, Any], named: int) -> int | None:
    """How many components have to be equal; ``None`` if no machine is recognized by them."""
    if claims.get("machineMatch") is None:
        return None
    match = read_mapping(claims, "machineMatch")
    at_least, of = (_optional_whole(match, name) or 0 for name in ("atLeast", "of"))
    if not (of / 2 < at_least <= of and MIN_OF <= of <= MAX_OF):
        raise RejectedTokenError("its claims are malformed: machineMatch")
    return at_least if named >= of else None


def _read_texts(raw: Mapping[str, Any], name: str) -> Mapping[str, str]:
    pairs = _optional_mapping(raw, name)
    if not all(isinstance(value, str) for value in pairs.values()):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return ReadOnlyDict(pairs)


def _read_entitlements(raw: Mapping[str, Any]) -> Mapping[str, EntitlementValue] | None:
    if raw.get("entitlements") is None:
        return None
    values = read_mapping(raw, "entitlements")
    known = {name: True if value is None else value for name, value in values.items()}
    if not all(map(_is_entitlement, known.values())):
        raise RejectedTokenError("its claims are malformed: entitlements")
    return ReadOnlyDict(known)


def _is_entitlement(value: object) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return -MAX_NUMBER <= value <= MAX_NUMBER
    return isinstance(value, bool | str)


def read_seat(raw: object) -> LicenseSeat | None:
    """Read a ``seat`` object; ``None`` if it is missing or of a kind that is not known."""
    if not isinstance(raw, dict) or raw.get("kind") not in get_args(SeatKind):
        return None
    held = raw.get("held")
    return LicenseSeat(
        kind=cast("SeatKind", raw["kind"]),
        held=held if isinstance(held, bool) else None,
        used=optional_int(raw.get("used")),
        total=optional_int(raw.get("total")),
    )


def read_mapping(claims: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = claims.get(name)
    if not isinstance(value, dict):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return value


def read_string(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not value:
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return value


def _optional_mapping(claims: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {} if claims.get(name) is None else read_mapping(claims, name)


def _optional_whole(claims: Mapping[str, Any], name: str) -> int | None:
    """A whole number, however it is written; JSON does not tell 5 from 5.0."""
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    if not -MAX_WHOLE <= value <= MAX_WHOLE or value != int(value):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return int(value)


def optional_string(claims: Mapping[str, Any], name: str) -> str | None:
    value = claims.get(name)
    if value is not None and not isinstance(value, str):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return value


def read_strings(claims: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    value = claims.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return tuple(value)


def read_epoch(claims: Mapping[str, Any], name: str) -> datetime:
    moment = optional_epoch(claims.get(name))
    if moment is None:
        raise RejectedTokenError(f"its claims are malformed: {name}")
    return moment


def optional_time_claim(claims: Mapping[str, Any], name: str) -> datetime | None:
    value = optional_string(claims, name)
    if value is None:
        return None
    try:
        return parse_rfc3339(value)
    except ValueError as error:
        raise RejectedTokenError(f"its claims are malformed: {name}") from error

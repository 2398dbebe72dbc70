"""Reading offline requests and release codes, as strictly as the service does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from licet._code_key import SIZE, CodeKey
from licet._code_letters import read_code
from licet._device_key import thumbprint
from licet._error_codes import optional_int
from licet._jose import RejectedTokenError, decode_segment, read_object, split_token
from licet._offline_answer import HEAD_BYTES, VERSION, Holder
from licet._offline_request import MAX_REQUEST_BYTES
from licet.errors import OfflineCodeError
from licet.testing._problems import Refused, bad_fields
from licet.testing._state import OfflineRow

MAX_SEQ = (1 << 31) - 1
LAST_SECOND = 253402300799
KINDS = frozenset({"Activate", "Refresh", "Release"})
_DIGEST = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}\Z")
_SIGNATURE_BYTES = 2 * SIZE


@dataclass(frozen=True, slots=True)
class Asked:
    """An offline request whose signature is right."""

    jkt: str
    jwk: Mapping[str, str]
    kind: str
    key_hash: str | None
    hardware_id: str
    device_name: str | None
    app_version: str | None
    nonce: str
    seq: int
    base: str | None
    file: str | None


def read_request(text: str, product_id: str) -> Asked:
    """Read a request.

    Raises:
        Refused: ``InvalidRequest``; the sentence says what is wrong.
    """
    if len(text) > MAX_REQUEST_BYTES:
        raise _bad(f"is longer than {MAX_REQUEST_BYTES} characters.")
    if text.count(".") < 2:
        raise _bad("is cut off, or is no offline request.")
    try:
        segments = split_token(text, 3)
        header, claims = (read_object(decode_segment(part)) for part in segments[:2])
        jwk, key = _key_in(header)
        signature = decode_segment(segments[2])
    except (RejectedTokenError, ValueError) as reason:
        raise _bad(f"is damaged: {reason}.") from reason
    if len(signature) < _SIGNATURE_BYTES:
        raise _bad("is cut off.")
    if not key.has_signed((f"{segments[0]}.{segments[1]}",), signature):
        raise _bad("is damaged: its signature does not match its content.")
    asked = _asked(jwk, claims)
    if claims["aud"] != product_id:
        raise _bad("is for another product, or for another vendor's server.")
    return asked


def read_release_code(text: str, row: OfflineRow, holder: Holder) -> int | None:
    """The ``seq`` of a release code; ``None`` if this device has not signed it.

    Raises:
        Refused: ``InvalidRequest``: a group has a mistake.
    """
    try:
        raw = read_code(text)
    except OfflineCodeError as error:
        raise _bad(f"has a typing error in group {error.group}.") from error
    if raw is None or raw[0] != VERSION:
        return None
    seq, key = int.from_bytes(raw[1:HEAD_BYTES]), CodeKey.parse(dict(row.jwk))
    for file in (row.file_id, row.base):
        lines = holder.release_lines(file or "", seq)
        if file is not None and key.has_signed(lines, raw[HEAD_BYTES:]):
            return seq
    return None


def _key_in(header: Mapping[str, Any]) -> tuple[Mapping[str, str], CodeKey]:
    jwk = header.get("jwk")
    if header != {"typ": "licet-req+jwt", "alg": "ES256", "jwk": jwk} or not isinstance(jwk, dict):
        raise ValueError("its header is not that of an offline request")
    if set(jwk) != {"kty", "crv", "x", "y"}:
        raise ValueError("its key is not a public one")
    return jwk, CodeKey.parse(jwk)


def _asked(jwk: Mapping[str, str], claims: Mapping[str, Any]) -> Asked:
    texts = {
        name: claims.get(name)
        for name in ("licenseKeyHash", "deviceName", "appVersion", "base", "file")
    }
    seq, issued_at = optional_int(claims.get("seq")), optional_int(claims.get("iat"))
    is_sound = (
        all(value is None or isinstance(value, str) for value in texts.values())
        and all(_is_text(claims.get(name)) for name in ("aud", "kind", "hardwareId", "nonce"))
        and claims["kind"] in KINDS
        and _NONCE.match(claims["nonce"]) is not None
        and (texts["licenseKeyHash"] is None or _DIGEST.match(texts["licenseKeyHash"]) is not None)
        and seq is not None
        and 1 <= seq <= MAX_SEQ
        and issued_at is not None
        and 0 <= issued_at <= LAST_SECOND
    )
    if not is_sound or seq is None:
        raise _bad("is damaged: its content is not that of an offline request.")
    return Asked(
        thumbprint(jwk),
        jwk,
        claims["kind"],
        texts["licenseKeyHash"],
        claims["hardwareId"],
        texts["deviceName"],
        texts["appVersion"],
        claims["nonce"],
        seq,
        texts["base"],
        texts["file"],
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _bad(message: str) -> Refused:
    return bad_fields([("request", message)])

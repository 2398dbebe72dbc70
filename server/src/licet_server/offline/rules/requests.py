"""Requests of machines without a connection: a compact JWS, signed by the device's own key."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.signed import (
    LAST_SECOND,
    SIGNED_MAX_BYTES,
    DeviceJwk,
    read_signed,
)
from licet_server.kit.errors import Refused
from licet_server.offline import errors
from licet_server.offline.rules.codes import Code, CodeFault, read_code

REQUEST_TYPE = "licet-req+jwt"
_PARTS = 3
_SIGNATURE_CHARACTERS = 86
_VISIBLE = r"\A[\x21-\x7e]+\Z"

_Base64Url = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]+\Z")]
_FileId = Annotated[str, Meta(min_length=1, max_length=64, pattern=_VISIBLE)]
_Stored = r"[^\x00\ud800-\udfff]"
"""What a text of the database may have, which JSON may escape."""
_HardwareId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=256,
        pattern=rf"\A{_Stored}*[^\s\x00\ud800-\udfff]{_Stored}*\Z",
    ),
]
_Short = Annotated[str, Meta(max_length=256, pattern=rf"\A{_Stored}*\Z")]


class RequestKind(StrEnum):
    """What a machine asks for: a first answer, a newer one, or to be released."""

    ACTIVATE = "Activate"
    REFRESH = "Refresh"
    RELEASE = "Release"


class AskedRequest(Struct, frozen=True):
    """A request whose signature is right, and the key that made it.

    `key_hash` names the license key, where that is long enough not to be guessed. `base` is the ID
    of the base file that the machine has, and `installed` that of the file that it uses.
    """

    key: DeviceJwk
    product_id: UUID
    kind: RequestKind
    key_hash: str | None
    hardware_id: str
    device_name: str | None
    app_version: str | None
    nonce: str
    seq: int
    base: str | None
    installed: str | None


class _Claims(Struct, frozen=True, rename="camel"):
    aud: UUID
    kind: RequestKind
    hardware_id: _HardwareId
    nonce: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{22}\Z")]
    seq: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    iat: Annotated[int, Meta(ge=0, le=LAST_SECOND)]
    license_key_hash: Annotated[_Base64Url, Meta(min_length=43, max_length=43)] | None = None
    device_name: _Short | None = None
    app_version: _Short | None = None
    base: _FileId | None = None
    file: _FileId | None = None


def read_asked(text: str) -> AskedRequest | Code:
    """Return the request in a text, or the release code that was typed in its place.

    White space is taken out: people send requests through mails and forms.

    Raises:
        Refused: `InvalidRequest` with what is wrong.
    """
    plain = "".join(text.split())
    if "." in plain:
        return _read_request(plain)
    code = read_code(text)
    if isinstance(code, CodeFault):
        raise _refusal_of_code(plain, code)
    return code


def _refusal_of_code(plain: str, fault: CodeFault) -> Refused:
    if plain.startswith("eyJ"):
        return errors.bad_request("is cut off: copy the whole text of the request.")
    return errors.bad_group(fault.group)


def _read_request(plain: str) -> AskedRequest:
    if len(plain) > SIGNED_MAX_BYTES:
        raise errors.bad_request("is too long: a request has at most 2 kB.")
    parts = plain.split(".")
    is_short = len(parts) == _PARTS and len(parts[-1]) < _SIGNATURE_CHARACTERS
    if len(parts) < _PARTS or is_short:
        raise errors.bad_request("is cut off: copy the whole text of the request.")
    signed = read_signed(plain, REQUEST_TYPE, _Claims)
    if signed is None:
        raise errors.bad_request("is damaged, or is no request: make it on the machine again.")
    key, claims = signed
    return AskedRequest(
        key=key,
        product_id=claims.aud,
        kind=claims.kind,
        key_hash=claims.license_key_hash,
        hardware_id=claims.hardware_id,
        device_name=claims.device_name or None,
        app_version=claims.app_version or None,
        nonce=claims.nonce,
        seq=claims.seq,
        base=claims.base,
        installed=claims.file,
    )

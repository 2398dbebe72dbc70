"""What devices sign: a compact JWS (ES256) whose header has the public key that signed it."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from msgspec import Meta, Struct, ValidationError, convert

SIGNED_MAX_BYTES = 2_048
LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""

_COMPACT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")

Value = TypeVar("Value")


class DeviceJwk(Struct, frozen=True, forbid_unknown_fields=True):
    """A public key as a JWK: ES256 only, without private members or any others."""

    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: Annotated[str, Meta(min_length=43, max_length=43)]
    y: Annotated[str, Meta(min_length=43, max_length=43)]

    @property
    def jkt(self) -> str:
        """The thumbprint (RFC 7638): SHA-256 in base64url."""
        text = json.dumps(
            {"crv": self.crv, "kty": self.kty, "x": self.x, "y": self.y}, separators=(",", ":")
        )
        return encoded(sha256(text.encode()).digest())

    def verifies(self, text: bytes, signature: bytes) -> bool:
        """Check an ES256 signature of 64 bytes."""
        x, y = (int.from_bytes(_bytes_of(part) or b"", "big") for part in (self.x, self.y))
        half = len(signature) // 2
        r, s = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
        try:
            key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
            key.verify(encode_dss_signature(r, s), text, ec.ECDSA(SHA256()))
        except (InvalidSignature, ValueError):
            return False
        return True


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    typ: str
    alg: Literal["ES256"]
    jwk: DeviceJwk


def read_signed(text: str, token_type: str, claims: type[Value]) -> tuple[DeviceJwk, Value] | None:
    """Return the key that signed a token of this type, and its claims; `None` for any other text.

    Whose key it is, and what the claims are worth, is for the caller to decide.
    """
    if len(text) > SIGNED_MAX_BYTES or _COMPACT.fullmatch(text) is None:
        return None
    first, second, _ = text.split(".")
    header, found = _decoded(first, _Header), _decoded(second, claims)
    if header is None or found is None or header.typ != token_type:
        return None
    return (header.jwk, found) if _is_signed(text, header.jwk) else None


def _decoded(part: str, kind: type[Value]) -> Value | None:
    """Return a part of a JWS; `None` unless it is written in the only way that there is."""
    raw = _bytes_of(part)
    if raw is None:
        return None
    try:
        return convert(json.loads(raw.decode(), object_pairs_hook=_without_duplicates), kind)
    except (ValueError, RecursionError, ValidationError):
        return None


def _without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a member is given twice")
    return found


def _bytes_of(text: str) -> bytes | None:
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return raw if encoded(raw) == text else None


def encoded(raw: bytes) -> str:
    """Encode in base64url, without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def _is_signed(text: str, key: DeviceJwk) -> bool:
    if _bytes_of(key.x) is None or _bytes_of(key.y) is None:
        return False
    try:
        imported = ECKey.import_key({"kty": key.kty, "crv": key.crv, "x": key.x, "y": key.y})
        jws.deserialize_compact(text, imported, algorithms=["ES256"])
    except (JoseError, ValueError):
        return False
    return True

"""Public ES256 keys: the product's second key, whose signatures are short enough to be typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from licet._jose import RejectedTokenError, decode_segment

SIZE = 32
_CURVE = {"kty": "EC", "crv": "P-256"}


class CodeKey:
    """A P-256 key that verifies signatures of 64 bytes."""

    def __init__(self, public: EllipticCurvePublicKey) -> None:
        self._public = public

    @classmethod
    def parse(cls, jwk: object) -> CodeKey:
        """Read a public JWK.

        Raises:
            ValueError: It is not a P-256 key.
        """
        if not isinstance(jwk, dict) or not _CURVE.items() <= jwk.items():
            raise ValueError("it is not a P-256 key")
        x, y = (read_number(jwk, name) for name in "xy")
        return cls(EllipticCurvePublicNumbers(x, y, SECP256R1()).public_key())

    def has_signed(self, lines: Sequence[str], signature: bytes) -> bool:
        """Whether these 64 bytes are a signature of the lines."""
        if len(signature) != 2 * SIZE:
            return False
        r, s = int.from_bytes(signature[:SIZE]), int.from_bytes(signature[SIZE:])
        text = "\n".join(lines).encode()
        try:
            self._public.verify(encode_dss_signature(r, s), text, ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True


def read_number(jwk: Mapping[str, Any], name: str) -> int:
    """A number of a P-256 key.

    Raises:
        ValueError: It does not have 32 bytes.
    """
    text = jwk.get(name)
    try:
        raw = decode_segment(text) if isinstance(text, str) else b""
    except RejectedTokenError as error:
        raise ValueError(str(error)) from error
    if len(raw) != SIZE:
        raise ValueError(f"its {name} does not have {SIZE} bytes")
    return int.from_bytes(raw)

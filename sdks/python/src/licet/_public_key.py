"""The product's public keys, embedded in the application."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_public_key

from licet.errors import ConfigurationError

MIN_RSA_BITS = 2048
MAX_KEYS = 16


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An RSA public key and its RFC 7638 thumbprint."""

    key: RSAPublicKey
    kid: str

    @property
    def bits(self) -> int:
        return self.key.key_size

    def has_signed(self, content: bytes, signature: bytes) -> bool:
        """Whether this is the key's RS256 signature of the content."""
        try:
            self.key.verify(signature, content, PKCS1v15(), SHA256())
        except InvalidSignature:
            return False
        return True


def load_public_keys(given: object) -> tuple[PublicKey, ...]:
    """Load the keys that an application trusts; one that is given twice counts once.

    Raises:
        ConfigurationError: It is not a list of 1 to 16 public keys.
    """
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise ConfigurationError("PublicKeys must be a list of public keys.")
    if not 1 <= len(given) <= MAX_KEYS:
        raise ConfigurationError(f"PublicKeys must have 1 to {MAX_KEYS} public keys.")
    if not all(isinstance(item, str | bytes) and item.strip() for item in given):
        raise ConfigurationError("PublicKeys must contain public keys only, as PEM or Base64.")
    keys = [load_public_key(item) for item in given]
    return tuple({key.kid: key for key in keys}.values())


def load_public_key(text: str | bytes) -> PublicKey:
    """Load PEM, or Base64 of SPKI DER, the forms shown in the dashboard.

    Raises:
        ConfigurationError: This is not an RSA public key of at least 2048 bits.
    """
    raw = text.encode() if isinstance(text, str) else bytes(text)
    raw = raw.strip()
    if b"PRIVATE KEY" in raw:
        raise ConfigurationError(
            "PublicKey contains a PRIVATE key, which must never leave the server. Remove it from "
            "the application, generate a new key pair for the product, and use the public key."
        )
    try:
        key = load_pem_public_key(raw) if raw.startswith(b"-----") else _from_base64(raw)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ConfigurationError(
            "PublicKey is neither PEM nor Base64 of a public key. Copy the complete key from the "
            "product's page, including the BEGIN and END lines if it is PEM."
        ) from error
    if not isinstance(key, RSAPublicKey):
        raise ConfigurationError(
            "PublicKey is not an RSA key. Licenses are signed with RS256: copy the public key from "
            "the product's page."
        )
    if key.key_size < MIN_RSA_BITS:
        raise ConfigurationError(
            f"PublicKey has {key.key_size} bits; at least {MIN_RSA_BITS} are required. "
            "Generate a new key pair for the product."
        )
    return PublicKey(key, thumbprint(key))


def thumbprint(key: RSAPublicKey) -> str:
    """The RFC 7638 thumbprint."""
    numbers = key.public_numbers()
    members = {"e": _base64url(numbers.e), "kty": "RSA", "n": _base64url(numbers.n)}
    digest = hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def _base64url(number: int) -> str:
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _from_base64(raw: bytes) -> object:
    try:
        der = base64.b64decode(b"".join(raw.split()), validate=True)
    except binascii.Error as error:
        raise ValueError("not Base64") from error
    return load_der_public_key(der)

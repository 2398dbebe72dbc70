"""Strict verification of compact JWS and decryption of compact JWE.

Only RS256 is verified and only ``dir`` with A256GCM is decrypted, whatever the header says.
Segments must be canonical base64url: lenient decoders ignore the unused bits of the last symbol,
so an edited signature would still verify.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from licet._public_key import PublicKey

MAX_TOKEN_BYTES = 1 << 20
FILE_KEY_INFO = b"licet/license-file/v1"
NONCE_BYTES, TAG_BYTES = 12, 16


class RejectedTokenError(Exception):
    """The token cannot be trusted; the message names the failed check."""


def decode_segment(segment: str) -> bytes:
    """Decode canonical base64url without padding.

    Raises:
        RejectedTokenError: The segment is not canonical base64url.
    """
    try:
        raw = urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except (Base64Error, ValueError) as error:
        raise RejectedTokenError("it is not base64url") from error
    if urlsafe_b64encode(raw).rstrip(b"=") != segment.encode("ascii", "replace"):
        raise RejectedTokenError("it is not canonical base64url")
    return raw


def split_token(token: str, parts: int) -> list[str]:
    """Split a compact token into its segments and check that each is canonical."""
    segments = token.split(".")
    if len(token) > MAX_TOKEN_BYTES or len(segments) != parts:
        raise RejectedTokenError(f"it is not a token of {parts} parts")
    for segment in segments:
        decode_segment(segment)
    return segments


def read_object(raw: bytes) -> dict[str, Any]:
    """Parse a JSON object."""
    try:
        value = json.loads(raw.decode(), parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise RejectedTokenError("it does not contain JSON") from error
    if not isinstance(value, dict):
        raise RejectedTokenError("it does not contain a JSON object")
    return value


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def verify_token(
    token: str, keys: Sequence[PublicKey], *, typ: str, need_kid: bool
) -> dict[str, Any]:
    """Verify a JWS signed by one of the keys with RS256 and this type, and return its claims.

    Raises:
        RejectedTokenError: A check failed.
    """
    segments = split_token(token, 3)
    header = read_object(decode_segment(segments[0]))
    if header.get("alg") != "RS256":
        raise RejectedTokenError("it is not signed with RS256")
    if header.get("typ") != typ:
        raise RejectedTokenError(f"its type is not {typ}")
    if "crit" in header or "b64" in header:
        raise RejectedTokenError("it requires extensions that this version does not support")
    unnamed = not need_kid and "kid" not in header
    candidates = [key for key in keys if unnamed or key.kid == header.get("kid")]
    if not candidates:
        raise RejectedTokenError("it is signed with a different key than the application's")
    signed, signature = token.rpartition(".")[0].encode("ascii"), decode_segment(segments[2])
    if not any(key.has_signed(signed, signature) for key in candidates):
        raise RejectedTokenError("its signature does not match its content")
    return read_object(decode_segment(segments[1]))


def derive_file_key(normal_key: str, salt: bytes) -> bytes:
    """Derive the 32-byte key that decrypts a protected file of this license key."""
    return HKDF(SHA256(), 32, salt, FILE_KEY_INFO).derive(normal_key.encode("ascii"))


def is_protected(token: str) -> bool:
    """Whether this is the protected form: a JWE of five parts, whose second, the key, is empty."""
    parts = token.split(".")
    return len(parts) == 5 and not parts[1]


def open_protected(token: str, normal_key: str) -> str:
    """Decrypt a protected file and return the JWS inside.

    Raises:
        RejectedTokenError: The file was edited, or is encrypted for another license key.
    """
    segments = split_token(token, 5)
    header = read_object(decode_segment(segments[0]))
    expected = {"alg": "dir", "enc": "A256GCM", "cty": "license+jwt"}
    if any(header.get(name) != value for name, value in expected.items()) or segments[1]:
        raise RejectedTokenError("it is not a protected license file")
    if "zip" in header or "crit" in header or not isinstance(header.get("salt"), str):
        raise RejectedTokenError("it is not a protected license file")
    salt = decode_segment(header["salt"])
    if not 16 <= len(salt) <= 64:
        raise RejectedTokenError("its salt has the wrong length")
    nonce, ciphertext, tag = map(decode_segment, segments[2:])
    if (len(nonce), len(tag)) != (NONCE_BYTES, TAG_BYTES):
        raise RejectedTokenError("it is not a protected license file")
    key = AESGCM(derive_file_key(normal_key, salt))
    try:
        inner = key.decrypt(nonce, ciphertext + tag, segments[0].encode("ascii"))
    except InvalidTag as error:
        raise RejectedTokenError(
            "it was edited, or is encrypted for another license key"
        ) from error
    try:
        return inner.decode("ascii")
    except UnicodeDecodeError as error:
        raise RejectedTokenError("it does not contain a license") from error

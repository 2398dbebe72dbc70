"""License keys: normal form, check symbol and masking.

A generated key has 25 symbols of Crockford's base32, the last of them a Luhn mod 32 check symbol.
Any other string of 8 to 128 printable ASCII characters is an imported key and is compared as is.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode

from licet.errors import ConfigurationError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KEY_LENGTH = 25
MIN_IMPORTED_LENGTH = 8
MAX_IMPORTED_LENGTH = 128
MIN_PROTECTION_KEY_LENGTH = 20

_CODE_POINTS = {symbol: index for index, symbol in enumerate(ALPHABET)}
_LOOKALIKES = str.maketrans({"I": "1", "L": "1", "O": "0", " ": None, "-": None})


def check_symbol(payload: str) -> str:
    """The Luhn mod 32 check symbol of ``payload``."""
    base = len(ALPHABET)
    total = 0
    factor = 2
    for symbol in reversed(payload):
        addend = factor * _CODE_POINTS[symbol]
        total += addend // base + addend % base
        factor = 3 - factor
    return ALPHABET[(base - total % base) % base]


def is_generated_key(text: str) -> bool:
    """Whether ``text`` is a generated key in normal form with a correct check symbol."""
    return (
        len(text) == KEY_LENGTH
        and all(symbol in _CODE_POINTS for symbol in text)
        and check_symbol(text[:-1]) == text[-1]
    )


def normal_form(text: str) -> str:
    """Convert a key to the form in which keys are compared and hashed.

    Raises:
        ConfigurationError: The text cannot be a license key.
    """
    if text.isascii():
        candidate = text.strip().upper().translate(_LOOKALIKES)
        if is_generated_key(candidate):
            return candidate
    trimmed = text.strip()
    if not MIN_IMPORTED_LENGTH <= len(trimmed) <= MAX_IMPORTED_LENGTH:
        raise ConfigurationError(
            f"A license key has {MIN_IMPORTED_LENGTH} to {MAX_IMPORTED_LENGTH} characters; "
            f"this one has {len(trimmed)}. Check that it was copied completely."
        )
    if not all(" " <= character <= "~" for character in trimmed):
        raise ConfigurationError(
            "The license key contains characters that are not allowed (only printable ASCII is). "
            "Copy it again from the original message."
        )
    return trimmed


def key_hash(normal: str) -> str:
    """The base64url SHA-256 that identifies the key in a signed verdict."""
    digest = hashlib.sha256(normal.encode("ascii")).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def mask(secret: str) -> str:
    """A secret as shown in logs: at most its last four characters."""
    return f"...{secret[-4:]}" if len(secret) >= 12 else "..."

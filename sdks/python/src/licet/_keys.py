"""License keys: normal form, check symbol and masking.

A generated key has 25 symbols of Crockford's base32, the last of them a Luhn mod 32 check symbol.
Nothing but its letters and digits counts. Any other string of 8 to 128 printable ASCII characters
is an imported key, which is compared as is, apart from what word processors, mail programs and
people put into and around it. The server does the same; ``vectors/keys.json`` holds both to it.
"""

from __future__ import annotations

import hashlib
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode

from licet.errors import ConfigurationError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KEY_LENGTH = 25
MIN_IMPORTED_LENGTH = 8
MAX_IMPORTED_LENGTH = 128
MAX_TEXT_LENGTH = 300
MIN_PROTECTION_KEY_LENGTH = 20

_CODE_POINTS = {symbol: index for index, symbol in enumerate(ALPHABET)}
_READ_AS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzILO", "ABCDEFGH1JK1MN0PQRSTUVWXYZ110", "\t " + string.punctuation
)
_TYPED_AS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzILO", "ABCDEFGH1JK1MN0PQRSTUVWXYZ110", string.whitespace + "-"
)
_AROUND_IMPORTED = "\t \"'`<>,;:."
_MEANT = {
    "": "000A-000D 0085 00AD 034F 0600-0605 061C 06DD 070F 0890-0891 08E2 115F-1160 17B4-17B5 "
    "180B-180F 200B-200F 2028-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFFB "
    "110BD 110CD 13430-1343F "
    "1BCA0-1BCA3 1D173-1D17A E0000-E0FFF",
    " ": "00A0 1680 2000-200A 202F 205F 3000",
    "-": "058A 05BE 1400 1806 2010-2015 2043 2212 2500 2E17 2E1A 2E3A-2E3B 2E40 2E5D 301C 3030 "
    "30A0 30FC FE31-FE32 FE58 FE63 FF0D FF70 10D6E 10EAD",
    "'": "00B4 2018-201B 2032 2039-203A",
    '"': "00AB 00B7 00BB 201C-201F 2022 2026 2033 2036 2E02-2E05 2E09-2E0A 2E0C-2E0D 2E1C-2E1D "
    "2E20-2E21 3001-301B 301D-301F FF61-FF65",
}
"""What programs put in place of ASCII: line breaks, what cannot be seen, and typography."""
_TYPOGRAPHY = {code + 0xFEE0: chr(code) for code in range(0x21, 0x7F)} | {
    code: meant
    for meant, ranges in _MEANT.items()
    for first, _, last in (item.partition("-") for item in ranges.split())
    for code in range(int(first, 16), int(last or first, 16) + 1)
}
"""The same by character, with those of full width."""


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
    plain = text[: MAX_TEXT_LENGTH + 1].translate(_TYPOGRAPHY)
    candidate = plain.translate(_READ_AS)
    trimmed = plain.strip(_AROUND_IMPORTED)
    is_bounded = len(text) <= MAX_TEXT_LENGTH
    if is_bounded and is_generated_key(candidate):
        return candidate
    if not is_bounded or not MIN_IMPORTED_LENGTH <= len(trimmed) <= MAX_IMPORTED_LENGTH:
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


def without_separators(text: str) -> str:
    """The symbols of a code in upper case, without white space and any kind of dash."""
    return text.translate(_TYPOGRAPHY).translate(_TYPED_AS)


def key_in_file(text: str | None) -> str | None:
    """The normal form of the key in a license file; ``None`` if it has none or it is malformed."""
    try:
        return normal_form(text) if text else None
    except ConfigurationError:
        return None


def key_hash(normal: str) -> str:
    """The base64url SHA-256 that identifies the key in a signed verdict."""
    digest = hashlib.sha256(normal.encode("ascii")).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def key_label(hashed: str) -> str:
    """What tells the files of a license key from those of others: 8 digits of its hash."""
    return urlsafe_b64decode(f"{hashed}=")[:4].hex()


def mask(secret: str) -> str:
    """A secret as shown in logs: at most its last four characters."""
    return f"...{secret[-4:]}" if len(secret) >= 12 else "..."

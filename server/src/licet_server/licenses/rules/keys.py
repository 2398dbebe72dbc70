"""License keys: 25 symbols of Crockford's base32, the last one a check symbol (Luhn mod 32).

Generated keys are compared in their normal form, so that customers may type them in lower case,
without dashes, or with I, L and O. Any other key is an imported key and is compared as it is.
"""

import hashlib
import secrets
from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
IMPORTED_MIN, IMPORTED_MAX = 8, 128
PROTECTABLE_MIN = 20
SALT_MIN, SALT_MAX = 16, 64

_SYMBOLS = 25
_GROUP = 5
_SINGLE = bytes.maketrans(ALPHABET.encode(), bytes(range(32)))
_DOUBLED = bytes.maketrans(ALPHABET.encode(), bytes(2 * n // 32 + 2 * n % 32 for n in range(32)))
"""What the check symbol adds for a symbol: its value, or the digits of its value doubled."""
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0", " ": None, "-": None})
_FILE_INFO = b"licet/license-file/v1"


def new_license_key() -> str:
    """Return a new key of 120 random bits, formatted as five groups with dashes."""
    # Five bits of each byte: as random as a choice for each symbol, in a twentieth of the time.
    payload = "".join(ALPHABET[byte & 31] for byte in secrets.token_bytes(_SYMBOLS - 1))
    key = payload + check_symbol(payload)
    return "-".join(key[start : start + _GROUP] for start in range(0, _SYMBOLS, _GROUP))


def check_symbol(payload: str) -> str:
    """Luhn mod N for N = 32 over `ALPHABET` (Wikipedia, "Luhn mod N algorithm")."""
    symbols = payload.encode()
    total = sum(symbols[::-2].translate(_DOUBLED)) + sum(symbols[-2::-2].translate(_SINGLE))
    return ALPHABET[-total % 32]


def normal_form(text: str) -> str | None:
    """Return the form in which a key is stored and found; `None` if it cannot be one."""
    key = text.strip()
    plain = key.upper().translate(_READ_AS)
    is_ours = len(plain) == _SYMBOLS and not plain.strip(ALPHABET)
    if is_ours and check_symbol(plain[:-1]) == plain[-1]:
        return plain
    if IMPORTED_MIN <= len(key) <= IMPORTED_MAX and key.isascii() and key.isprintable():
        return key
    return None


def signed_hash(text: str) -> str:
    """Return what names a key in signed tokens: the hash of its normal form, base64url."""
    key = normal_form(text) or text.strip()
    return urlsafe_b64encode(hashlib.sha256(key.encode()).digest()).rstrip(b"=").decode()


def normal_starts(text: str) -> list[str]:
    """Return the prefixes of normal forms that a key prefix typed into a search may stand for."""
    start = text.strip()
    plain = start.upper().translate(_READ_AS)
    starts = []
    if _GROUP <= len(plain) <= _SYMBOLS and not plain.strip(ALPHABET):
        starts.append(plain)
    if IMPORTED_MIN <= len(start) <= IMPORTED_MAX and start not in starts:
        starts.append(start)
    return starts


def can_protect(normal_key: str) -> bool:
    """Return whether a key is long enough to encrypt a file under it."""
    return len(normal_key) >= PROTECTABLE_MIN


def derive_file_key(normal_key: str, salt: bytes) -> bytes:
    """Return the 32-byte key of a protected license file: HKDF-SHA256 of the key's normal form."""
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=_FILE_INFO).derive(
        normal_key.encode()
    )

"""The format of a product key.

`pk_`, the institution's id in 26 symbols of Crockford's base32 in lower case, and 32 random ones
(160 bits). The key contains its institution, so a lookup touches one tenant.
"""

import hashlib
import re
from uuid import UUID

PREFIX = "pk_"
RANDOM_BYTES = 20

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_AS_BASE_32 = str.maketrans(_ALPHABET, "0123456789abcdefghijklmnopqrstuv")
"""The digits by which Python reads a number of this base."""
_ID_SYMBOLS = 26
_RANDOM_SYMBOLS = 32
_FORM = re.compile(
    rf"{PREFIX}([0-7][{_ALPHABET}]{{{_ID_SYMBOLS - 1}}})[{_ALPHABET}]{{{_RANDOM_SYMBOLS}}}"
)


def product_key(institution_id: UUID, random_bytes: bytes) -> str:
    """Build a key of an institution from 20 random bytes."""
    if len(random_bytes) != RANDOM_BYTES:
        raise ValueError(f"a product key takes {RANDOM_BYTES} random bytes")
    random_part = _symbols(int.from_bytes(random_bytes), _RANDOM_SYMBOLS)
    return PREFIX + _symbols(institution_id.int, _ID_SYMBOLS) + random_part


def institution_of(key: str) -> UUID | None:
    """Return the institution in a key; `None` if the text is not a product key."""
    form = _FORM.fullmatch(key)
    if form is None:
        return None
    return UUID(int=int(form.group(1).translate(_AS_BASE_32), 32))


def key_hash(key: str) -> bytes:
    """Return the hash to look a key up by; keys are long and random, so it needs no salt."""
    return hashlib.sha256(key.encode()).digest()


def _symbols(value: int, count: int) -> str:
    return "".join(_ALPHABET[value >> 5 * at & 31] for at in reversed(range(count)))

"""License keys: 25 symbols of Crockford's base32, the last one a check symbol (Luhn mod 32).

Generated keys are compared in their normal form: nothing but their letters and digits counts, in
upper or lower case, with I, L and O. Any other key is an imported key and is compared as it is,
apart from what word processors, mail programs and people put into and around it. The SDKs do the
same; `vectors/keys.json` holds all of them to it.
"""

import hashlib
import secrets
import string
from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from licet_server.kit.characters import FULL_WIDTH

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
IMPORTED_MIN, IMPORTED_MAX = 8, 128
TEXT_MAX = 300
"""How many characters a key may have as it is entered."""
PROTECTABLE_MIN = 20
SALT_MIN, SALT_MAX = 16, 64

SYMBOLS = 25
_GROUP = 5
_SINGLE = bytes.maketrans(ALPHABET.encode(), bytes(range(32)))
DOUBLED = bytes(2 * n // 32 + 2 * n % 32 for n in range(32))
"""The sum of the digits of each value doubled, which the check symbol adds for every other one."""
_TWICE = bytes.maketrans(ALPHABET.encode(), DOUBLED)
READ_AS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzILO", "ABCDEFGH1JK1MN0PQRSTUVWXYZ110", "\t " + string.punctuation
)
AROUND_IMPORTED = "\t \"'`<>,;:."
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
_TYPOGRAPHY = FULL_WIDTH | {
    code: meant
    for meant, ranges in _MEANT.items()
    for first, _, last in (item.partition("-") for item in ranges.split())
    for code in range(int(first, 16), int(last or first, 16) + 1)
}
"""The same by character, with those of full width."""
_FILE_INFO = b"licet/license-file/v1"


def new_license_key() -> str:
    """Return a new key of 120 random bits, formatted as five groups with dashes."""
    # Five bits of each byte: as random as a choice for each symbol, in a twentieth of the time.
    payload = "".join(ALPHABET[byte & 31] for byte in secrets.token_bytes(SYMBOLS - 1))
    key = payload + check_symbol(payload)
    return "-".join(key[start : start + _GROUP] for start in range(0, SYMBOLS, _GROUP))


def check_symbol(payload: str) -> str:
    """Luhn mod N for N = 32 over `ALPHABET` (Wikipedia, "Luhn mod N algorithm")."""
    symbols = payload.encode()
    total = sum(symbols[::-2].translate(_TWICE)) + sum(symbols[-2::-2].translate(_SINGLE))
    return ALPHABET[-total % 32]


def as_meant(text: str) -> str:
    """Return a key without what programs and people have put into and around it."""
    return text.translate(_TYPOGRAPHY).strip(AROUND_IMPORTED)


def normal_form(text: str) -> str | None:
    """Return the form in which a key is stored and found; `None` if it cannot be one."""
    if len(text) > TEXT_MAX:
        return None
    key = as_meant(text)
    plain = key.translate(READ_AS)
    is_ours = len(plain) == SYMBOLS and not plain.strip(ALPHABET)
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
    start = as_meant(text)
    plain = start.translate(READ_AS)
    starts = []
    if _GROUP <= len(plain) <= SYMBOLS and not plain.strip(ALPHABET):
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

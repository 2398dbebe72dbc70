"""Codes that people type: 68 bytes as 28 groups of Crockford's base32, each with a check symbol.

The check symbol of a group makes its weighted sum over GF(32) the number of the group, so that a
wrong symbol, swapped neighbors and swapped groups are found, and in which group.
"""

from msgspec import Struct

from licet_server.licenses.rules.keys import ALPHABET, as_meant

CODE_BYTES = 68
VERSION = 1
GROUPS = 28

_GROUP_SYMBOLS = 4
_SYMBOLS = 109
_PRINTED = _SYMBOLS + GROUPS
_FIELD = 32
_POLYNOMIAL = 0b100101
_READ_AS = str.maketrans("ILO", "110")


class CodeFault(Struct, frozen=True):
    """The first group of a code that has a mistake, counted from 1."""

    group: int


class Code(Struct, frozen=True):
    """What a code carries: a number of 24 bits, the end day or a `seq`, and a signature."""

    number: int
    signature: bytes


def _powers() -> list[int]:
    found, value = [], 1
    for _ in range(_FIELD - 1):
        found.append(value)
        value <<= 1
        if value >= _FIELD:
            value ^= _POLYNOMIAL
    return found


_POWER = _powers()
_LOG = {value: exponent for exponent, value in enumerate(_POWER)}


def _times_power(value: int, exponent: int) -> int:
    return 0 if value == 0 else _POWER[(_LOG[value] + exponent) % (_FIELD - 1)]


def check_of(group: int, symbols: str) -> str:
    """Return the check symbol of a group, counted from 1, of these symbols."""
    total = group
    for position, symbol in enumerate(symbols, start=1):
        total ^= _times_power(ALPHABET.index(symbol), position)
    return ALPHABET[_times_power(total, -(len(symbols) + 1))]


def print_code(code: Code) -> str:
    """Return a code as it is printed, in groups with dashes."""
    raw = bytes([VERSION]) + code.number.to_bytes(3, "big") + code.signature
    value = int.from_bytes(raw, "big") << 1
    symbols = "".join(ALPHABET[value >> 5 * at & 31] for at in reversed(range(_SYMBOLS)))
    groups = [
        symbols[start : start + _GROUP_SYMBOLS] for start in range(0, _SYMBOLS, _GROUP_SYMBOLS)
    ]
    return "-".join(text + check_of(number, text) for number, text in enumerate(groups, start=1))


def read_code(text: str) -> Code | CodeFault:
    """Return what a code as it was typed carries, or its first group that has a mistake."""
    plain = "".join(as_meant(text).split()).replace("-", "").upper().translate(_READ_AS)
    width = _GROUP_SYMBOLS + 1
    value = 0
    for number in range(1, GROUPS + 1):
        group = plain[(number - 1) * width : number * width]
        symbols, check = group[:-1], group[-1:]
        expected = _GROUP_SYMBOLS if number < GROUPS else _PRINTED % width - 1
        is_whole = len(symbols) == expected and all(symbol in ALPHABET for symbol in symbols)
        if not is_whole or check_of(number, symbols) != check:
            return CodeFault(number)
        for symbol in symbols:
            value = value << 5 | ALPHABET.index(symbol)
    raw = (value >> 1).to_bytes(CODE_BYTES, "big")
    if value & 1 or len(plain) != _PRINTED:
        return CodeFault(GROUPS)
    if raw[0] != VERSION:
        return CodeFault(1)
    return Code(int.from_bytes(raw[1:4], "big"), raw[4:])


def answer_text(
    *,
    product_id: str,
    key_hash: str,
    hardware_id: str,
    jkt: str,
    nonce: str,
    base: str,
    end_day: int,
) -> bytes:
    """Return what an answer code signs; `end_day` is counted from 1970-01-01."""
    return _lines(
        "licet-answer-code", product_id, key_hash, hardware_id, jkt, nonce, base, str(end_day)
    )


def release_text(
    *, product_id: str, key_hash: str, hardware_id: str, jkt: str, file_id: str, seq: int
) -> bytes:
    """Return what a release code signs."""
    return _lines("licet-release-code", product_id, key_hash, hardware_id, jkt, file_id, str(seq))


def _lines(*lines: str) -> bytes:
    return "\n".join(lines).encode()

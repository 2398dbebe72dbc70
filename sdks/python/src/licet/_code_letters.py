"""The letters of codes that people type.

68 bytes are 28 groups of Crockford's base32, each with a check symbol of its own, which finds every
wrong symbol and all swapped neighbors while the group is being typed.
``vectors/offline_requests.json`` has the recipe.
"""

from __future__ import annotations

from licet._keys import ALPHABET, without_separators
from licet._wording import english
from licet.errors import OfflineCodeError

CODE_BYTES = 68
GROUPS = 28
_GROUP, _LAST = 5, 2
"""The symbols of a group with its check symbol, and of the last one."""
_BITS = CODE_BYTES * 8 + 1

_POWERS = [1]
"""The powers of 2 in GF(32), which has 31 of them."""
while len(_POWERS) < len(ALPHABET) - 1:
    _doubled = _POWERS[-1] << 1
    _POWERS.append(_doubled ^ 0b100101 if _doubled & 32 else _doubled)
_EXPONENTS = {value: exponent for exponent, value in enumerate(_POWERS)}


def check_code_group(index: int, text: str) -> bool:
    """Return whether a group of a code is typed without a mistake.

    Args:
        index: The number of the group, from 1 to 28.
        text: The group with its check symbol. Letter case, spaces and dashes do not matter.
    """
    symbols = without_separators(text)
    return 1 <= index <= GROUPS and len(symbols) == _length(index) and _is_right(index, symbols)


def read_code(text: str) -> bytes | None:
    """Return the 68 bytes of a code; ``None`` if no code has these letters.

    Raises:
        OfflineCodeError: A group has a mistake.
    """
    symbols = without_separators(text)
    for index in range(1, GROUPS + 1):
        begin = (index - 1) * _GROUP
        group = symbols[begin : begin + _length(index)]
        is_too_long = index == GROUPS and len(symbols) > begin + _LAST
        if is_too_long or not check_code_group(index, group):
            raise mistyped(index)
    value = 0
    for place, symbol in enumerate(symbols):
        if place % _GROUP != _GROUP - 1 and place != len(symbols) - 1:
            value = value * 32 + ALPHABET.index(symbol)
    return None if value & 1 else (value >> 1).to_bytes(CODE_BYTES)


def write_code(raw: bytes) -> str:
    """Write 68 bytes as they are typed, in groups with dashes."""
    value = int.from_bytes(raw) << 1
    symbols = [value >> shift & 31 for shift in range(_BITS - 5, -1, -5)]
    groups = [symbols[begin : begin + _GROUP - 1] for begin in range(0, len(symbols), _GROUP - 1)]
    return "-".join(
        "".join(ALPHABET[symbol] for symbol in (*group, _check_symbol(index, group)))
        for index, group in enumerate(groups, 1)
    )


def mistyped(index: int) -> OfflineCodeError:
    """The error for a mistake in a group."""
    return OfflineCodeError(english("OfflineCode", group=index), group=index)


def _length(index: int) -> int:
    return _LAST if index == GROUPS else _GROUP


def _is_right(index: int, symbols: str) -> bool:
    if not all(symbol in ALPHABET for symbol in symbols):
        return False
    *group, check = map(ALPHABET.index, symbols)
    return check == _check_symbol(index, group)


def _check_symbol(index: int, symbols: list[int]) -> int:
    total = index
    for place, symbol in enumerate(symbols, 1):
        total ^= _product(symbol, place)
    return _product(total, -len(symbols) - 1)


def _product(value: int, exponent: int) -> int:
    """A value times a power of 2."""
    return _POWERS[(_EXPONENTS[value] + exponent) % len(_POWERS)] if value else 0

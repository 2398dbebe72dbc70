"""The letters of codes that people type: how they are written, and what goes wrong in typing."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BYTES, SYMBOLS, GROUP = 68, 109, 4
TYPED = 137
FIELD = 0b100101
"""x^5 + x^2 + 1, by which GF(32) is made."""


def times_two(value: int) -> int:
    doubled = value << 1
    return doubled ^ FIELD if doubled & 32 else doubled


def times(left: int, right: int) -> int:
    product = 0
    while right:
        if right & 1:
            product ^= left
        left, right = times_two(left), right >> 1
    return product


def power(exponent: int) -> int:
    value = 1
    for _ in range(exponent):
        value = times_two(value)
    return value


def check_symbol(number: int, symbols: list[int]) -> int:
    """The check symbol of group ``number`` (1 to 28), found by trying all of them."""
    for candidate in range(32):
        total = 0
        for place, symbol in enumerate([*symbols, candidate], 1):
            total ^= times(power(place), symbol)
        if total == number:
            return candidate
    raise AssertionError


def spell(raw: bytes, last_bit: int = 0) -> str:
    """Write 68 bytes in 28 groups."""
    assert len(raw) == BYTES
    bits = "".join(f"{byte:08b}" for byte in raw) + str(last_bit)
    symbols = [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]
    assert len(symbols) == SYMBOLS
    groups = [symbols[i : i + GROUP] for i in range(0, SYMBOLS, GROUP)]
    return "-".join(
        "".join(ALPHABET[symbol] for symbol in [*group, check_symbol(number, group)])
        for number, group in enumerate(groups, 1)
    )


def first_wrong_group(symbols: str) -> int | None:
    """The first group that is not as it was written; ``None`` if all are."""
    for number in range(1, 29):
        group = symbols[(number - 1) * 5 : number * 5]
        wanted = 5 if number < 28 else 2
        if len(group) < wanted or not all(symbol in ALPHABET for symbol in group):
            return number
        values = [ALPHABET.index(symbol) for symbol in group]
        if number == 28 and len(symbols) > TYPED:
            return number
        if check_symbol(number, values[: wanted - 1]) != values[wanted - 1]:
            return number
    return None


def mistake(symbols: str) -> dict:
    group = first_wrong_group(symbols)
    assert group is not None, symbols
    return {"code": symbols, "group": group}


def misprints(code: str) -> dict[str, list[dict]]:
    """The slips of a hand, with the first group in which each is found."""
    right = code.replace("-", "")
    single = [
        mistake(
            right[:at] + ALPHABET[(ALPHABET.index(symbol) + 1 + at % 31) % 32] + right[at + 1 :]
        )
        for at, symbol in enumerate(right)
    ]
    swapped = [
        mistake(right[:at] + right[at + 1] + right[at] + right[at + 2 :])
        for at in range(TYPED - 1)
        if right[at] != right[at + 1]
    ]
    groups = code.split("-")
    neighbors = [
        mistake("".join([*groups[:at], groups[at + 1], groups[at], *groups[at + 2 :]]))
        for at in range(26)
    ]
    return {
        "one-wrong-symbol": single,
        "two-neighbors-swapped": swapped,
        "two-groups-swapped": neighbors,
    }


def unlucky() -> dict[str, list[dict]]:
    """What is too short, too long, or not of these letters."""
    right = spell(bytes(range(68))).replace("-", "")
    cut = [mistake(right[:length]) for length in (0, 1, 4, 5, 9, 70, 135, 136)]
    longer = [mistake(f"{right}0"), mistake(f"{right}{right}")]
    foreign = [mistake(f"{right[:7]}{symbol}{right[8:]}") for symbol in "Uu!,Ä"]
    return {"cut-off": cut, "too-long": longer, "other-symbols": foreign}


OTHER_TEXTS = [
    {"code": "", "group": 1},
    {"code": " - ", "group": 1},
    {"code": "This is no code", "group": 1},
]


def spelled_otherwise(code: str) -> list[tuple[str, str]]:
    """The same code as people type it."""
    ones = code.translate(str.maketrans({"1": "l", "0": "O"}))
    return [
        ("in-lower-case", code.lower()),
        ("without-dashes", code.replace("-", "")),
        ("with-spaces", f"  {code.replace('-', ' ')}\n"),
        ("in-lines", code.replace("-", "\r\n")),
        ("with-letters-for-digits", ones),
        ("with-i-for-1", code.replace("1", "i")),
        ("with-long-dashes", code.replace("-", "\u2013")),
        ("with-dashes-elsewhere", "-".join(code.replace("-", ""))),
    ]

"""Exact amounts, and how they are written in tokens, journals and receipts."""

from __future__ import annotations

import re
from decimal import Context, Decimal, InvalidOperation

EXACT = Context(prec=60)
"""Exact arithmetic, whatever decimal precision the application has set."""

SMALLEST_UNIT = Decimal("0.000001")
MAX_AMOUNT = Decimal(10) ** 15
# No sign, no exponent, no further zeros, at most six places.
_PLAIN = re.compile(r"(?:0|[1-9][0-9]{0,23})(?:\.[0-9]{0,5}[1-9])?\Z")


def plain(amount: Decimal) -> str:
    """Format an amount without exponent or trailing zeros, such as 970 and 1.5."""
    digits = f"{amount:f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def read_plain(text: object) -> Decimal:
    """Read an amount that :func:`plain` has written.

    Raises:
        ValueError: It is written in another way.
    """
    if not isinstance(text, str) or not _PLAIN.match(text):
        raise ValueError(f"{text!r} is no amount in plain notation")
    return Decimal(text)


def exact_number(amount: Decimal) -> int | float:
    """The number that JSON writes as this amount.

    Raises:
        ValueError: It has more digits than JSON numbers keep.
    """
    if amount == amount.to_integral_value():
        return int(amount)
    number = float(amount)
    if Decimal(repr(number)) != amount:
        raise ValueError(f"An amount cannot have as many digits as {plain(amount)}.")
    return number


def positive_amount(value: Decimal | int | str) -> Decimal:
    """Read an amount that an application gives.

    Raises:
        TypeError: It is a float, which is not exact, or no amount at all.
        ValueError: It is not more than 0, or has more than six decimals or too many digits.
    """
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        raise TypeError("An amount must be a Decimal, an int or a string; a float is not exact.")
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"An amount cannot be {value!r}.") from error
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT:
        raise ValueError(f"An amount must be more than 0, and at most {MAX_AMOUNT:,}.")
    if amount != EXACT.quantize(amount, SMALLEST_UNIT):
        raise ValueError("An amount must have at most six decimals.")
    exact_number(amount)
    return amount

"""Exact amounts, and how they are written in tokens, journals and receipts."""

from __future__ import annotations

import re
from decimal import Context, Decimal

EXACT = Context(prec=60)
"""Exact arithmetic, whatever decimal precision the application has set."""

SMALLEST_UNIT = Decimal("0.000001")
MAX_AMOUNT = Decimal(10) ** 18
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

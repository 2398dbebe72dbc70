"""JSON with exact decimals, which the standard library does not write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any


def to_json(value: Any) -> str:
    """The text of a value; decimals are numbers, as people write them."""
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, Mapping):
        members = (f"{json.dumps(name)}: {to_json(item)}" for name, item in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_json, value))}]"
    return json.dumps(value)


def plain(amount: Decimal) -> str:
    """970 and 1.5: no exponent, and no zeros at the end of a fraction."""
    digits = f"{amount:f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits

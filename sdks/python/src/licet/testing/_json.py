"""JSON output with exact decimals, which the standard library does not support."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from licet._amounts import plain


def to_json(value: Any) -> str:
    """Serialize a value; decimals become JSON numbers."""
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, Mapping):
        members = (f"{json.dumps(name)}: {to_json(item)}" for name, item in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_json, value))}]"
    return json.dumps(value)

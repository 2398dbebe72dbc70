"""JSON values of all kinds that a field should refuse, or take without harm; and a sound one."""

import json
from typing import Any


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


VALUES: dict[str, str] = {
    "a number": "7.5",
    "a truth": "true",
    "a text": '"text"',
    "a list": "[1]",
    "an object": '{"a": {"b": 1}}',
    "null": "null",
    "nothing": '""',
    "spaces": '"   "',
    "negative": "-1",
    "much": "1" + "0" * 30,
    "beyond floats": "1e400",
    "tiny": "1e-400",
    "long": json.dumps("x" * 10_000),
    "wide": json.dumps("\U0001f600" * 2_500),
    "nul": r'"a\u0000b"',
    "surrogate": r'"\ud800"',
    "controls": r'"\u0001\u202e\u2028"',
    "nested": json.dumps(nested(200)),
    "far future": '"9999-12-31T23:59:59.999999-14:00"',
    "far past": '"0001-01-01T00:00:00+14:00"',
}
NO_TEXT_IN_POSTGRESQL = {"nul", "surrogate"}

_MADE = ("clientDataJSON", "attestationObject", "authenticatorData", "signature")
CREDENTIAL = {"id": "AA", "rawId": "AA", "response": dict.fromkeys(_MADE, "AA")}
"""A passkey's answer of the right shape, for registering and for signing in."""

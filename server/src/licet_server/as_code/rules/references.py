"""References between objects: entitlement sets refer to features, policies to a set."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from licet_server.as_code.rules.model import Fields, Key, Kind


def references(key: Key, fields: Fields) -> Iterator[tuple[Key, str]]:
    """Yield the keys that the fields refer to, each with its path below the object."""
    if key.kind is Kind.ENTITLEMENT_SET:
        for name in fields.get("entries") or {}:
            yield Key(Kind.FEATURE, name.lower(), key.product), f"entries.{name}"
    elif key.kind is Kind.POLICY and (name := fields.get("entitlementSet")) is not None:
        yield Key(Kind.ENTITLEMENT_SET, name.lower(), key.product), "entitlementSet"


def named_by(key: Key, fields: Fields) -> set[Key]:
    """Return the keys that the fields refer to."""
    return {found for found, _ in references(key, fields)}


def value_breach(kind: str, value: Any) -> str | None:
    """Return why a feature of this kind cannot have the value."""
    if kind == "Flag":
        return None if value is True else "must be true: the feature is a Flag."
    if kind == "Number":
        is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
        return None if is_number else "must be a number: the feature is a Number."
    is_text = isinstance(value, str)
    return None if is_text else "must be a text, in quotes: the feature is a Text."

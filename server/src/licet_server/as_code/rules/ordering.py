"""Orders steps: an object is created before others refer to it, and deleted when none does."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from licet_server.as_code.rules.model import Action, Fields, Key, Kind, Present, Step


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


def in_order(
    steps: Sequence[Step], there: Mapping[Key, Present], final: Mapping[Key, Fields]
) -> list[Step]:
    """Return the steps sorted by their dependencies, and otherwise as given.

    Objects in a product that is deleted need no steps of their own.
    """
    by_key = {step.key: step for step in steps}
    ordered: dict[Key, Step] = {}
    visited: set[Key] = set()

    def add(step: Step) -> None:
        if step.key in visited:
            return
        visited.add(step.key)
        for other in _before(step, steps, by_key, there, final):
            add(other)
        ordered[step.key] = step

    for step in steps:
        product = by_key.get(Key(Kind.PRODUCT, step.key.product))
        if product is None or product.action is not Action.DELETE:
            add(step)
    return list(ordered.values())


def _before(
    step: Step,
    steps: Sequence[Step],
    by_key: Mapping[Key, Step],
    there: Mapping[Key, Present],
    final: Mapping[Key, Fields],
) -> Iterator[Step]:
    """Yield the steps that must be done before this one."""
    product = by_key.get(Key(Kind.PRODUCT, step.key.product))
    if product is not None:
        yield product
    if step.action is not Action.DELETE:
        for key in named_by(step.key, final.get(step.key, {})):
            if key in by_key and by_key[key].action is not Action.DELETE:
                yield by_key[key]
    if step.action is Action.DELETE or "kind" in step.before:
        yield from (other for other in steps if _lets_go(other, step.key, there, final))


def _lets_go(
    step: Step, key: Key, there: Mapping[Key, Present], final: Mapping[Key, Fields]
) -> bool:
    """Check whether the step removes a reference of its object to the key."""
    if step.key not in there or key not in named_by(step.key, there[step.key].fields):
        return False
    return key not in named_by(step.key, final.get(step.key, {}))

"""What an event says of a change."""

from collections.abc import Mapping


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """`{field: [before, after]}` for what differs; an empty `before` or `after` counts as null."""
    names = dict.fromkeys([*before, *after])
    return {
        name: [before.get(name), after.get(name)]
        for name in names
        if before.get(name) != after.get(name)
    }

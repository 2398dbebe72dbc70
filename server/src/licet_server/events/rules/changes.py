"""The changes that an event records."""

from collections.abc import Mapping


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Return `{field: [before, after]}` for the fields that differ; a missing field is null."""
    names = dict.fromkeys([*before, *after])
    return {
        name: [before.get(name), after.get(name)]
        for name in names
        if before.get(name) != after.get(name)
    }

"""The data of an event, and the changes that it records."""

from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from licet_server.kit.text import camel


def facts_of(item: object, *, omit: Collection[str] = ()) -> dict[str, object]:
    """Return the fields of a struct or a dataclass by their names on the wire, but for some.

    Name what must not leave the service in `omit`: secrets, and what only the service needs.
    """
    kind: Any = type(item)
    names = _names_of(kind, frozenset(omit))
    return {wire: _plain(getattr(item, name)) for name, wire in names}


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Return `{field: [before, after]}` for the fields that differ; a missing field is null."""
    names = dict.fromkeys([*before, *after])
    return {
        name: [before.get(name), after.get(name)]
        for name in names
        if before.get(name) != after.get(name)
    }


@cache
def _names_of(kind: Any, omit: frozenset[str]) -> tuple[tuple[str, str], ...]:
    names = [item.name for item in fields(kind)] if is_dataclass(kind) else kind.__struct_fields__
    if unknown := omit.difference(names):
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return tuple((name, camel(name)) for name in names if name not in omit)


def _plain(value: object) -> object:
    """A value that compares and encodes as JSON does: a read-only mapping as a dict."""
    return dict(value) if isinstance(value, Mapping) else value

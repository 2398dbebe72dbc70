"""Builds the wire view of an object, so that no field is copied by hand."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, TypeVar

import msgspec

View = TypeVar("View", bound=msgspec.Struct)


def view_of(view: type[View], item: object, /, **computed: object) -> View:
    """Build a view of `item`: each field is the attribute of the same name, unless given here."""
    if not computed:
        return msgspec.convert(item, view, from_attributes=True)
    # A plain namespace: msgspec reads it ten times as fast as an object with `__getattr__`.
    read = _reader(view, getattr(item, "__struct_fields__", ()), tuple(computed))
    source = SimpleNamespace(**{**read(item), **computed})
    return msgspec.convert(source, view, from_attributes=True)


@cache
def _reader(
    view: type[msgspec.Struct], stored: tuple[str, ...], computed: tuple[str, ...]
) -> Callable[[Any], dict[str, Any]]:
    """Return what reads the other fields of a view from an object, all of them in one call.

    `stored` are the fields of a struct, empty for other objects.
    """
    names = [name for name in view.__struct_fields__ if name not in computed]
    if stored and set(names) <= set(stored):
        return msgspec.structs.asdict
    if len(names) < 2:  # `attrgetter` returns a tuple only for several
        return lambda item: {name: getattr(item, name) for name in names}
    read = attrgetter(*names)
    return lambda item: dict(zip(names, read(item), strict=True))

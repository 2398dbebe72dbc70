"""Builds the wire view of an object, so that no field is copied by hand."""

from types import SimpleNamespace
from typing import TypeVar

import msgspec

View = TypeVar("View", bound=msgspec.Struct)


def view_of(view: type[View], item: object, /, **computed: object) -> View:
    """Build a view of `item`: each field is the attribute of the same name, unless given here."""
    if not computed:
        return msgspec.convert(item, view, from_attributes=True)
    # A plain namespace: msgspec reads it ten times as fast as an object with `__getattr__`.
    own = (name for name in view.__struct_fields__ if name not in computed)
    source = SimpleNamespace(**computed, **{name: getattr(item, name) for name in own})
    return msgspec.convert(source, view, from_attributes=True)

"""Builds the wire view of an object, so that no field is copied by hand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from inspect import Parameter, signature
from operator import attrgetter, itemgetter
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

View = TypeVar("View", bound=msgspec.Struct)

_PLAIN = frozenset({bool, int, str, Decimal, UUID, date, datetime, NoneType, msgspec.UnsetType})
"""What is written as it is; a number of another kind is not among them."""


def view_of(view: type[View], item: object, /, **computed: object) -> View:
    """Build a view of `item`: each field is the attribute of the same name, unless given here."""
    if not computed:
        return msgspec.convert(item, view, from_attributes=True)
    built: View = _builder(view, tuple(computed))(item, computed)
    return built


@cache
def _builder(
    view: type[View], computed: tuple[str, ...]
) -> Callable[[Any, Mapping[str, object]], View]:
    """Return what builds a view of an object and of what is computed.

    msgspec would look at each value, which takes as long as all else that a list does with a row.
    Most are plain, and are passed on as they are; the others, and empty ones, it converts.
    """
    names = view.__struct_fields__
    read = _reader([name for name in names if name not in computed])
    order = [*(name for name in names if name not in computed), *computed]
    sort = itemgetter(*map(order.index, names)) if len(names) > 1 else tuple
    hints = get_type_hints(view)
    converted = [
        (at, _converter(hints[name])) for at, name in enumerate(names) if not _is_plain(hints[name])
    ]
    make = _maker(view)

    def build(item: Any, given: Mapping[str, object]) -> View:
        values = [*sort((*read(item), *given.values()))]
        for at, convert in converted:
            values[at] = convert(values[at])
        return make(values)

    return build


def _converter(hint: Any) -> Callable[[Any], Any]:
    """Return what converts values that are not all plain; msgspec reads the type each time."""
    empty = next((kind for kind in map(_container, _parts(hint)) if kind is not None), None)

    def convert(value: Any) -> Any:
        if type(value) in _PLAIN:
            return value
        if not value and empty is not None:
            return empty()
        return msgspec.convert(value, hint, from_attributes=True)

    return convert


def _container(hint: Any) -> Callable[[], Any] | None:
    origin = get_origin(hint)
    return origin if origin in {dict, list} else None


def _reader(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    if len(names) < 2:  # `attrgetter` returns a tuple only for several
        return lambda item: [getattr(item, name) for name in names]
    return attrgetter(*names)


def _maker(view: type[View]) -> Callable[[Sequence[Any]], View]:
    parameters = signature(view).parameters.values()
    if any(item.kind is Parameter.KEYWORD_ONLY for item in parameters):
        return lambda values: view(**dict(zip(view.__struct_fields__, values, strict=True)))
    return lambda values: view(*values)


def _is_plain(hint: Any) -> bool:
    return all(
        get_origin(part) is Literal
        or part in _PLAIN
        or (isinstance(part, type) and issubclass(part, Enum))
        for part in _parts(hint)
    )


def _parts(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one that it is."""
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)

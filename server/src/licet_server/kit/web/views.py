"""Builds the wire view of an object, so that no field is copied by hand."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from inspect import Parameter, signature
from operator import attrgetter, itemgetter
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeGuard,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

import msgspec
from msgspec.structs import astuple

View = TypeVar("View", bound=msgspec.Struct)

_PLAIN = frozenset({bool, int, str, Decimal, UUID, date, datetime, NoneType, msgspec.UnsetType})
"""What is written as it is; a number of another kind is not among them."""

_MANY = 6


def view_of(view: type[View], item: object, /, **computed: object) -> View:
    """Build a view of `item`: each field is the attribute of the same name, unless given here."""
    if not computed:
        return msgspec.convert(item, view, from_attributes=True)
    kind: Any = type(item)
    built: View = _builder(view, kind, tuple(computed))(item, computed.values())
    return built


def view_with(view: type[View], item: object, computed: msgspec.Struct) -> View:
    """Build a view as `view_of` does, in half the time: fields of `computed` are those given."""
    kind: Any = type(item)
    built: View = _builder_with(view, kind, type(computed))(item, astuple(computed))
    return built


def views_with(
    view: type[View], items: Sequence[msgspec.Struct], computed: Sequence[msgspec.Struct]
) -> list[View]:
    """Build the views of a list, as `view_with` does of one, in a third of the time for many.

    All items are of one kind, and so is what is computed for each. They become views column by
    column, so that no step is done for each value; a few are faster one by one.
    """
    if len(items) < _MANY:
        return [view_with(view, *each) for each in zip(items, computed, strict=True)]
    plan = _plan(view, type(items[0]), type(computed[0]).__struct_fields__)
    columns: list[Sequence[Any]] = [
        *zip(*map(astuple, items), strict=True),
        *([getattr(item, name) for item in items] for name in plan.others),
        *zip(*map(astuple, computed), strict=True),
    ]
    chosen = [columns[at] for at in plan.places]
    for at, empty, hint in plan.converted:
        if not _PLAIN.issuperset(map(type, chosen[at])):
            chosen[at] = _fitting(chosen[at], empty, hint)
    return list(map(plan.make, *chosen))


@cache
def _builder_with(
    view: type[View], kind: type, computed: type[msgspec.Struct]
) -> Callable[[Any, Iterable[object]], View]:
    return _builder(view, kind, computed.__struct_fields__)


@cache
def _builder(
    view: type[View], kind: type, computed: tuple[str, ...]
) -> Callable[[Any, Iterable[object]], View]:
    """Return what builds a view of an object of this kind and of what is computed."""
    plan = _plan(view, kind, computed)
    choose, converted, make = _chooser(plan.places), plan.converted, plan.make
    read, fields_of = _reader(plan.others), astuple if _is_struct(kind) else _no_fields

    def build(item: Any, given: Iterable[object]) -> View:
        values = [*choose((*fields_of(item), *read(item), *given))]
        for at, empty, hint in converted:
            value = values[at]
            if type(value) in _PLAIN:
                continue
            if not value and empty is not None:
                values[at] = empty()
            else:
                values[at] = msgspec.convert(value, hint, from_attributes=True)
        built: View = make(*values)
        return built

    return build


class _Plan(NamedTuple):
    """Where the fields of a view stand among those of a struct, other attributes, computed ones.

    `converted` are the places in the view of what may not be plain, what makes an empty one, and
    the type.
    """

    others: Sequence[str]
    places: Sequence[int]
    converted: Sequence[tuple[int, Callable[[], Any] | None, Any]]
    make: Callable[..., Any]


@cache
def _plan(view: type[msgspec.Struct], kind: type, computed: tuple[str, ...]) -> _Plan:
    """Return how to build a view.

    msgspec would look at each value, which takes as long as all else that a list does with a row,
    and reads the type each time. Most are plain, and are passed on as they are, and so are new
    collections in place of empty ones; it converts the others.
    """
    names = view.__struct_fields__
    stored: tuple[str, ...] = kind.__struct_fields__ if _is_struct(kind) else ()
    others = [name for name in names if name not in computed and name not in stored]
    places = {name: at for at, name in enumerate((*stored, *others, *computed))}
    hints = get_type_hints(view)
    converted = [
        (at, _empty_of(hints[name]), hints[name])
        for at, name in enumerate(names)
        if not _is_plain(hints[name])
    ]
    return _Plan(others, [places[name] for name in names], converted, _maker(view))


def _is_struct(kind: type) -> TypeGuard[type[msgspec.Struct]]:
    return issubclass(kind, msgspec.Struct)


def _fitting(column: Sequence[Any], empty: Callable[[], Any] | None, hint: Any) -> Sequence[Any]:
    """Return values as `_builder` passes each on."""
    return [
        value
        if type(value) in _PLAIN
        else empty()
        if empty is not None and not value
        else msgspec.convert(value, hint, from_attributes=True)
        for value in column
    ]


def _chooser(places: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    if len(places) < 2:  # `itemgetter` returns a tuple only for several
        return lambda values: [values[at] for at in places]
    return itemgetter(*places)


def _no_fields(_item: object) -> tuple[()]:
    return ()


def _empty_of(hint: Any) -> Callable[[], Any] | None:
    """Return what makes an empty value of a collection, also of one that may be null."""
    return next((kind for kind in map(_container, _parts(hint)) if kind is not None), None)


def _container(hint: Any) -> Callable[[], Any] | None:
    origin = get_origin(hint)
    return origin if origin in {dict, list} else None


def _reader(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    if not names:
        return _no_fields
    if len(names) == 1:  # `attrgetter` returns a tuple only for several
        [name] = names
        return lambda item: (getattr(item, name),)
    return attrgetter(*names)


def _maker(view: type[View]) -> Callable[..., View]:
    parameters = signature(view).parameters.values()
    if any(item.kind is Parameter.KEYWORD_ONLY for item in parameters):
        return lambda *values: view(**dict(zip(view.__struct_fields__, values, strict=True)))
    return view


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

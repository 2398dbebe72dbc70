"""Statements that are built once for each shape of what they are about, and run with its values.

To build a statement takes longer than to run it.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace as replace_fields
from sqlalchemy import Date, Integer, bindparam
from sqlalchemy.types import TypeEngine

from licet_server.kit.database import Amount, Bytes, Id, Instant, String

Given = dict[str, Any]
"""The values of the parameters of a statement."""

Built = TypeVar("Built")
Arguments = ParamSpec("Arguments")

MOST_ITEMS = 64
"""A statement about a longer collection is built each time, with one parameter for all items."""

MOST_SHAPES = 256
"""How many shapes of a statement are kept; the one that was not used for longest is dropped."""

_LONG = ""
"""In place of the shape of a long collection; no parameter has this name."""

_KINDS: Mapping[type, TypeEngine[Any]] = {
    UUID: Id,
    str: String(),
    bytes: Bytes(),
    datetime: Instant,
    date: Date(),
    int: Integer(),
    Decimal: Amount,
}


def kept(build: Callable[Arguments, Built]) -> Callable[Arguments, tuple[Built, Given]]:
    """Keep what a function builds, for each shape of its arguments; return it with their values.

    In place of an ID, a text, a time, a day or a number, the function gets a parameter of SQL, also
    in collections and in the fields of dataclasses and structs: it can compare columns with it, and
    cannot know its value. Collections become tuples. How many items they have, what is `None`,
    truth values and members of enums are the shape. Nothing is kept for a collection of more than
    `MOST_ITEMS`, whose items are not replaced.

    Example:
        >>> @kept
        ... def _one(visibility: Visibility, item_id: UUID) -> Select[Any]:
        ...     return select(items).where(visible(visibility), items.c.id == item_id)
        >>> await db.execute(*_one(visibility, item_id))
    """
    names = tuple(signature(build).parameters)
    known: OrderedDict[tuple[Any, ...], Built] = OrderedDict()

    @wraps(build)
    def find(*args: Arguments.args, **_: Arguments.kwargs) -> tuple[Built, Given]:
        given: Given = {}
        shape = tuple([_shape(name, value, given) for name, value in zip(names, args, strict=True)])
        found = known.get(shape)
        if found is None:
            parameters = map(_parameters, names, args)
            made: Callable[..., Built] = build
            found = made(*parameters)
            if given.pop(_LONG, None) is not None:
                return found, given
            known[shape] = found
            if len(known) > MOST_SHAPES:
                known.popitem(last=False)
        else:
            known.move_to_end(shape)
        return found, given

    return find


def _shape(name: str, value: Any, given: Given) -> object:
    """Return what a statement is built for, and note the values that it is run with."""
    kind: Any = type(value)
    if _is_structural(kind):
        return value
    if (base := _base_of(kind)) is not None:
        given[name] = value
        return base
    if _is_collection(kind):
        if len(value) > MOST_ITEMS:
            given[_LONG] = True
            return _LONG
        return tuple([_shape(f"{name}_{n}", item, given) for n, item in enumerate(value)])
    return kind, *[
        _shape(f"{name}_{field}", getattr(value, field), given) for field in _fields_of(kind)
    ]


def _parameters(name: str, value: Any) -> Any:
    """Return the value with a parameter in place of whatever is no part of its shape."""
    kind: Any = type(value)
    if _is_structural(kind):
        return value
    if (base := _base_of(kind)) is not None:
        return bindparam(name, type_=_KINDS[base])
    if isinstance(value, Collection):
        if len(value) > MOST_ITEMS:
            return tuple(value)
        return tuple(_parameters(f"{name}_{n}", item) for n, item in enumerate(value))
    parts = {
        field: _parameters(f"{name}_{field}", getattr(value, field)) for field in _fields_of(kind)
    }
    return replace_fields(value, **parts) if isinstance(value, Struct) else type(value)(**parts)


@cache
def _is_structural(kind: Any) -> bool:
    return kind in {type(None), bool} or issubclass(kind, Enum)


@cache
def _is_collection(kind: Any) -> bool:
    return issubclass(kind, Collection)


@cache
def _base_of(kind: Any) -> type | None:
    """Return the kind of a parameter; the driver has a class of its own for IDs."""
    return next((base for base in kind.__mro__ if base in _KINDS), None)


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    if issubclass(kind, Struct):
        names: tuple[str, ...] = kind.__struct_fields__
        return names
    if not is_dataclass(kind):
        raise TypeError(f"a statement cannot be kept for a {kind.__name__}")
    return tuple(field.name for field in fields(kind))

"""Reads stored values, also those that do not have the form that their reader expects.

The service stores only what has it. What something else has written, such as a statement by hand,
is read as far as it fits, so that one row does not take a whole list with it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

from licet_server.kit.dates import EARLIEST

Item = TypeVar("Item")
Member = TypeVar("Member", bound=Enum)
Shape = TypeVar("Shape", bound=msgspec.Struct)

_EMPTY: Mapping[type, Any] = {
    bool: False,
    int: 0,
    float: 0.0,
    Decimal: Decimal(0),
    datetime: EARLIEST,
    UUID: UUID(int=0),
}


class Members(dict[Any, Any]):
    """The members of an enumeration by their values; the first one for any other value."""

    def __init__(self, enumeration: type[Enum]) -> None:
        super().__init__((member.value, member) for member in enumeration)
        self._first = next(iter(enumeration))

    def __missing__(self, value: object) -> Enum:
        return self._first


def read_as(shape: type[Item], value: Any) -> Item:
    """Return a value in a shape: a struct, a dataclass, or another type of Python.

    What does not fit is null where that is allowed, or the default of its field. Of objects and
    lists, it is the parts that fit; in an object of texts, others become their JSON. Instead of a
    value that an enumeration lacks, it is the first that it has.
    """
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError:
        return cast("Item", _fitted(value, shape))


def names_of(model: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass or struct, in order."""
    if issubclass(model, msgspec.Struct):
        return model.__struct_fields__
    return tuple(item.name for item in fields(cast("Any", model)))


def positional(model: type[Shape]) -> type[Shape]:
    """Return a struct as a class that takes its fields by position, all of them and in order.

    To name them takes longer than all else that is done with a row of a list.

    Example:
        >>> positional(License)(*row)
    """
    shapes = get_type_hints(model, include_extras=True)
    own = [(name, shapes[name]) for name in model.__struct_fields__]
    made = msgspec.defstruct(model.__name__, own, bases=(model,), module=model.__module__)
    return cast("type[Shape]", made)


def enumerations_of(model: type[Any]) -> dict[str, type[Enum]]:
    """Return the fields of a dataclass or struct that are a member of an enumeration, or null."""
    found = {}
    for name, shape in _described(cast("Any", model))[0].items():
        for kind in (shape, *get_args(shape)):
            if isinstance(kind, type) and issubclass(kind, Enum):
                found[name] = kind
    return found


def members_of(model: type[Any]) -> dict[str, Members]:
    """Return the `Members` of each such field by its name; null is null where that is allowed."""
    found = {name: Members(kind) for name, kind in enumerations_of(model).items()}
    for name, members in found.items():
        if NoneType in get_args(_described(cast("Any", model))[0][name]):
            members[None] = None
    return found


def _fitted(value: Any, shape: Any) -> Any:
    origin, kinds = get_origin(shape) or shape, get_args(shape)
    if origin in {UnionType, Union}:
        return None if NoneType in kinds else _fitted(value, kinds[0])
    if issubclass(origin, msgspec.Struct) or is_dataclass(origin):
        return _object(value if isinstance(value, Mapping) else {}, origin)
    if issubclass(origin, str):
        return next(iter(origin)) if issubclass(origin, Enum) else _json(value)
    if issubclass(origin, Mapping):
        return dict(_pairs(value.items() if isinstance(value, Mapping) else (), kinds[1]))
    if issubclass(origin, Collection):
        made = origin if origin in {tuple, frozenset, set} else list
        return made(_items(value if isinstance(value, (list, tuple)) else (), kinds[0]))
    return _EMPTY[origin]


def _object(stored: Mapping[str, Any], model: Any) -> Any:
    shapes, defaults = _described(model)
    return model(
        **{name: _field(stored, name, shape, defaults.get(name)) for name, shape in shapes.items()}
    )


def _field(stored: Mapping[str, Any], name: str, shape: Any, default: Any) -> Any:
    value = stored.get(name, default)
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError:
        return _fitted(value, shape) if default is None else default


@cache
def _described(model: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the types of the fields of a dataclass or struct, and the defaults of some."""
    hints = get_type_hints(model)
    if issubclass(model, msgspec.Struct):
        given = {item.name: item.default for item in msgspec.structs.fields(model)}
    else:
        given = {item.name: item.default for item in fields(model)}
    none = (MISSING, msgspec.NODEFAULT)
    defaults = {name: value for name, value in given.items() if value not in none}
    return {name: hints[name] for name in names_of(model)}, defaults


def _pairs(pairs: Any, shape: Any) -> Iterator[tuple[str, Any]]:
    for name, item in pairs:
        try:
            yield name, msgspec.convert(item, shape)
        except msgspec.ValidationError:
            if shape is str:
                yield name, _json(item)


def _items(items: Any, shape: Any) -> Iterator[Any]:
    for item in items:
        try:
            yield msgspec.convert(item, shape)
        except msgspec.ValidationError:
            continue


def _json(value: Any) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()

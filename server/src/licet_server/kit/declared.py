"""Gives bodies and views the fields that a model declares, so that each is written once.

`@creates(Fields)` gives the fields of the model `Fields` to the body of a request that creates
something, `@changes(Fields)` to that of a change, and `@shows(Fields)` to a view. They stand last,
or behind the field `after`, in the order of the model. A field that the class declares itself stays
as it is there: one that code reads by its name, or that has another form on the wire.

Example:
    >>> class Fields(Struct):
    ...     grace_days: Annotated[int, Sent(Meta(ge=0, le=365))] = 0
    >>> @changes(Fields)
    ... class FieldsChange(Change):
    ...     name: str | UnsetType = UNSET
    >>> FieldsChange.__struct_fields__
    ('name', 'grace_days')
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import FunctionType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.structs import FieldInfo, fields

Decorator = Callable[[type[Struct]], type[Struct]]
_Field = tuple[str, Any] | tuple[str, Any, Any]
_KEPT = (FunctionType, property)


@dataclass(frozen=True, slots=True)
class Sent:
    """What requests may give for a field of a model.

    Stored values are not held to it, so that a limit can be lowered later.
    """

    limits: Meta


def creates(model: type[Struct]) -> Decorator:
    """Give a body the fields of a model, with the model's defaults."""

    def field(info: FieldInfo, shape: Any) -> _Field:
        return _field(info.name, _as_sent(shape), info)

    return lambda body: _with(body, _taken(body, model, None, field), None, kw_only=True)


def changes(
    model: type[Struct], *, after: str | None = None, names: Collection[str] | None = None
) -> Decorator:
    """Give a body the fields of a model, or those of `names`, absent unless they are sent."""

    def field(info: FieldInfo, shape: Any) -> _Field:
        return info.name, Union[_as_sent(shape), UnsetType], UNSET  # noqa: UP007 - made at run time

    return lambda body: _with(body, _taken(body, model, names, field), after, kw_only=True)


def shows(
    model: type[Struct], *, after: str | None = None, names: Collection[str] | None = None
) -> Decorator:
    """Give a view the fields of a model, or those of `names`."""

    def field(info: FieldInfo, shape: Any) -> _Field:
        return info.name, _as_stored(shape)

    return lambda view: _with(view, _taken(view, model, names, field), after, kw_only=False)


def _taken(
    wire: type[Struct],
    model: type[Struct],
    names: Collection[str] | None,
    field: Callable[[FieldInfo, Any], _Field],
) -> Iterator[_Field]:
    shapes = get_type_hints(model, include_extras=True)
    for info in fields(model):
        if info.name not in wire.__struct_fields__ and (names is None or info.name in names):
            yield field(info, shapes[info.name])


def _with(
    wire: type[Struct], taken: Iterator[_Field], after: str | None, *, kw_only: bool
) -> type[Struct]:
    """Build the struct with more fields; its methods must not call `super()` without arguments."""
    own = [_field(info.name, info.type, info) for info in fields(wire)]
    at = len(own) if after is None else wire.__struct_fields__.index(after) + 1
    kept = {name: item for name, item in vars(wire).items() if isinstance(item, _KEPT)}
    return defstruct(
        wire.__name__,
        [*own[:at], *taken, *own[at:]],
        bases=wire.__bases__,
        module=wire.__module__,
        namespace={**kept, "__doc__": wire.__doc__, "__qualname__": wire.__qualname__},
        rename="camel",
        kw_only=kw_only,
    )


def _field(name: str, shape: Any, info: FieldInfo) -> _Field:
    return (name, shape) if info.required else (name, shape, info.default)


def _as_sent(shape: Any) -> Any:
    """Return a type of a model with the limits of requests."""
    return _mapped(shape, lambda kind, sent: Annotated[kind, sent.limits])


def _as_stored(shape: Any) -> Any:
    """Return a type of a model without them."""
    return _mapped(shape, lambda kind, _: kind)


def _mapped(shape: Any, limited: Callable[[Any, Sent], Any]) -> Any:
    if get_origin(shape) in (Union, UnionType):
        return Union[tuple(_mapped(kind, limited) for kind in get_args(shape))]  # noqa: UP007
    if get_origin(shape) is Annotated:
        kind, *notes = get_args(shape)
        sent = next((note for note in notes if isinstance(note, Sent)), None)
        return shape if sent is None else limited(kind, sent)
    return shape

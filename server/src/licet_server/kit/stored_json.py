"""The types of columns that hold JSON of one shape."""

from collections.abc import Callable
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
from sqlalchemy import Dialect
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

from licet_server.kit.database import Json, Process
from licet_server.kit.fitting import read_as


class JsonOf(TypeDecorator[Any]):
    """A column of JSON of this shape: an object, a list, or either of them or null.

    `otherwise` is read instead of anything that does not have the shape; without it, that is read
    as far as it fits.

    Example:
        >>> Column("metadata", JsonOf(dict[str, str]))
    """

    impl = Json
    cache_ok = True

    def __init__(self, shape: Any, otherwise: tuple[str, ...] | None = None) -> None:
        super().__init__(none_as_null=True)
        self.shape = shape
        self.otherwise = otherwise
        self._fits = _quick_check(shape)
        self._container = _container_of(shape)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return what is stored, as far as it has the shape of the column."""
        return self.read(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        """Return what reads a stored value. Most are null or empty, and a list has many."""
        process: Any = super().result_processor(dialect, coltype)
        absent, container = self.read(None), self._container

        def read(value: Any) -> Any:
            if value is None:
                return None if absent is None else absent.copy()
            return value if type(value) is container and not value else process(value)

        return read

    def read(self, value: Any) -> Any:
        """Return a stored value, as far as it has the shape of the column."""
        if self._fits(value):
            return value
        if value is None and self.otherwise is None:
            return self._container()
        if self.otherwise is None:
            return read_as(self.shape, value)
        try:
            return msgspec.convert(value, self.shape)
        except msgspec.ValidationError:
            return list(self.otherwise)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        """Take the other side of an operator as plain JSON does, such as the name of a field."""
        return self.impl_instance.coerce_compared_value(op, value)


_PLAIN = frozenset({str, int, float, bool})


def _quick_check(shape: Any) -> Callable[[Any], bool]:
    """Return what accepts most values of a shape: msgspec would read the type again for each."""
    is_nullable = NoneType in get_args(shape)
    container, inner = _container_of(shape), get_args(_without_null(shape))[-1]
    plain = frozenset(get_args(inner) or (inner,))
    is_plain = plain <= _PLAIN

    def fits(value: Any) -> bool:
        if type(value) is not container:
            return value is None and is_nullable
        if inner is Any:
            return True
        items = value.values() if container is dict else value
        return is_plain and plain.issuperset(map(type, items))

    return fits


def _container_of(shape: Any) -> Any:
    return get_origin(_without_null(shape))


def _without_null(shape: Any) -> Any:
    kinds = get_args(shape)
    return kinds[0] if NoneType in kinds else shape


NOBODY = ("unreadable",)
"""Read instead of an allow list that is none: no address is in it."""

ALLOW_LIST = JsonOf(list[str], NOBODY)
"""The IP addresses and networks that may use something; an empty list allows all of them."""

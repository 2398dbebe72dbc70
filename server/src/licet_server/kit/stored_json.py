"""The types of columns that hold JSON of one shape."""

from typing import Any

import msgspec
from sqlalchemy import Dialect
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine

from licet_server.kit.database import Json
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

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return what is stored, as far as it has the shape of the column."""
        return self.read(value)

    def read(self, value: Any) -> Any:
        """Return a stored value, as far as it has the shape of the column."""
        if self.otherwise is None:
            return read_as(self.shape, value)
        try:
            return msgspec.convert(value, self.shape)
        except msgspec.ValidationError:
            return list(self.otherwise)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        """Take the other side of an operator as plain JSON does, such as the name of a field."""
        return self.impl_instance.coerce_compared_value(op, value)

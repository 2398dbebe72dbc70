"""Passes any number of rows to one statement, as one array per column.

Such statements are built once, because building a statement costs more than running it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import TableValuedAlias, column, func
from sqlalchemy.types import TypeEngine

from licet_server.kit.database import array_parameter

Kind = type[TypeEngine[Any]] | TypeEngine[Any]


class Arrays:
    """A table of parameters with these columns, called `name` in the statement."""

    def __init__(self, name: str, /, **kinds: Kind) -> None:
        self._parameters = [f"{name}_{column_name}" for column_name in kinds]
        arrays = [
            array_parameter(parameter, kind)
            for parameter, kind in zip(self._parameters, kinds.values(), strict=True)
        ]
        columns = [column(column_name, kind) for column_name, kind in kinds.items()]
        self.table: TableValuedAlias = (
            func.unnest(*arrays).table_valued(*columns).render_derived(name=name)
        )
        self.c = self.table.c

    def given(self, rows: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
        """Return the parameters for these rows, whose values are in the order of the columns."""
        columns: list[list[Any]] = [list(values) for values in zip(*rows, strict=True)]
        columns = columns or [[] for _ in self._parameters]
        return dict(zip(self._parameters, columns, strict=True))

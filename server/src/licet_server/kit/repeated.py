"""Runs a query for several sets of values of its parameters in one statement."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import BindParameter, Integer, Select, literal_column, select, true
from sqlalchemy.sql.util import ClauseAdapter
from sqlalchemy.sql.visitors import iterate, replacement_traverse

from licet_server.kit.database import Connection
from licet_server.kit.direct import Given, columns_of
from licet_server.kit.statements import Arrays

_ASKED, _PLACE = "asked", "asked_place"


class Repeated:
    """A query that several callers ask with values of their own for the same parameters.

    The values are a table, and for each of its rows PostgreSQL runs the query as it stands
    (`LATERAL`), with columns of that row in place of parameters. To send one statement and to read
    what it answers costs as much as reading a page of rows. The query is ordered by columns that it
    selects. A database that is spread by institution takes no such statement.
    """

    def __init__(self, query: Select[Any], parameters: Sequence[str]) -> None:
        kinds = {
            item.key: item.type
            for item in iterate(query)
            if isinstance(item, BindParameter) and item.key in parameters
        }
        self._names = tuple(kinds)
        self._asked = Arrays(_ASKED, **{_PLACE: Integer}, **kinds)
        place = self._asked.c[_PLACE]

        def replace(element: Any, **_: Any) -> Any:
            # As text: to name the table would add it to what the query selects from.
            if isinstance(element, BindParameter) and element.key in kinds:
                return literal_column(f"{_ASKED}.{element.key}", element.type)
            return None

        each = cast("Select[Any]", replacement_traverse(query, {}, replace)).lateral("each")
        order = [ClauseAdapter(each).traverse(item) for item in query._order_by_clauses]
        self._statement = (
            select(*each.c, place)
            .select_from(self._asked.table.join(each, true()))
            .order_by(place, *order)
        )

    async def fetch(self, db: Connection, asked: Sequence[Given]) -> list[Sequence[Any]]:
        """Fetch the columns of the rows for all of these sets of values, in the order of each.

        The last one is the place of the set that a row is for. Without rows, there are no columns.
        """
        names = self._names
        values = [(place, *(given[name] for name in names)) for place, given in enumerate(asked)]
        return columns_of(await db.execute(self._statement, self._asked.given(values)))

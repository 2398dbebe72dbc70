"""Finds the old rows of institutions in tables whose IDs ascend with time.

The primary keys of these tables begin with the institution and contain the ID, so they find the
rows whose IDs are old; only those rows are read.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CTE,
    BigInteger,
    Column,
    ColumnElement,
    Delete,
    Label,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    cast,
    func,
    literal_column,
    or_,
    select,
    true,
)
from sqlalchemy.sql.selectable import LateralFromClause

from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.ids import least_id
from licet_server.kit.statements import Arrays

INSTITUTIONS = Arrays("wanted", institution_id=Id)
"""The institutions of `find_due`."""
INSTITUTION = bindparam("institution", type_=Id)
LIMIT = bindparam("row_limit", type_=BigInteger)


def line_of(table: Table) -> Label[str]:
    """Return a row of the table as JSON, called `line`."""
    return cast(func.row_to_json(table.table_valued()), String).label("line")


def deleted(rows: Delete) -> CTE:
    """Return the rows that a statement deletes, all of their columns, called `gone`."""
    return rows.returning(literal_column(f"{rows.table.description}.*")).cte("gone")


def gone(column: Column[Any]) -> ColumnElement[Any]:
    """Return a column of `deleted` rows."""
    return literal_column(f"gone.{column.name}", column.type)


def lines_of(rows: CTE, *columns: Column[Any]) -> Select[Any]:
    """Select these columns of `deleted` rows, and each row as JSON, called `line`.

    A database that is spread computes no JSON where it deletes, since that depends on settings.
    """
    line = literal_column("CAST(row_to_json(gone) AS TEXT)", String).label("line")
    named = [gone(column).label(column.name) for column in columns]
    return select(*named, line).select_from(rows)


def is_old(identifier: Column[UUID], at: Column[datetime]) -> ColumnElement[bool]:
    """Return the condition of rows from before the time that is passed to `until`."""
    return and_(
        identifier < bindparam("least_id", type_=Id), at < bindparam("before", type_=Instant)
    )


def until(before: datetime) -> dict[str, Any]:
    """Return the parameters of `is_old`."""
    return {"before": before, "least_id": least_id(before)}


def due(old: LateralFromClause) -> Select[UUID]:
    """Return the statement of `find_due`; `old` has the times of at most `LIMIT` old rows."""
    (at,) = old.c
    return (
        select(INSTITUTIONS.c.institution_id)
        .select_from(INSTITUTIONS.table.join(old, true()))
        .group_by(INSTITUTIONS.c.institution_id)
        .having(
            or_(func.count() >= LIMIT, func.min(at) < bindparam("overdue", type_=Instant)),
        )
    )


async def find_due(
    db: Connection,
    statement: Select[UUID],
    institution_ids: Sequence[UUID],
    before: datetime,
    overdue: datetime,
    rows: int,
) -> list[UUID]:
    """Find the institutions with this number of rows from before `before`, or one `overdue`."""
    given = INSTITUTIONS.given([(item,) for item in institution_ids])
    values = {**until(before), **given, "overdue": overdue, "row_limit": rows}
    return list((await db.execute(statement, values)).scalars())


class OldRows:
    """The old rows of a table, by the time in the column `at`."""

    def __init__(self, table: Table, at: Column[datetime], *columns: Column[Any]) -> None:
        old = is_old(table.c.id, at)
        times = select(at).where(table.c.institution_id == INSTITUTIONS.c.institution_id, old)
        self._due = due(times.limit(LIMIT).lateral("old"))
        self._fetch = (
            select(table.c.id, at, *columns, line_of(table))
            .where(table.c.institution_id == INSTITUTION, old)
            .order_by(table.c.id)
            .limit(LIMIT)
        )

    async def find_due(
        self,
        db: Connection,
        institution_ids: Sequence[UUID],
        before: datetime,
        overdue: datetime,
        rows: int,
    ) -> list[UUID]:
        """Find the institutions with this number of rows from before `before`, or one `overdue`."""
        return await find_due(db, self._due, institution_ids, before, overdue, rows)

    async def fetch(
        self, db: Connection, institution_id: UUID, before: datetime, limit: int
    ) -> Sequence[Row[Any]]:
        """Fetch the `id`, the time and the other columns of old rows, by ID, and their `line`."""
        values = {**until(before), "institution": institution_id, "row_limit": limit}
        return (await db.execute(self._fetch, values)).all()

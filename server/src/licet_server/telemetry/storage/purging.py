"""Deletes what is not kept any longer, a bounded number at a time.

Each product has its own end. Several processes may delete at once: each skips what another holds.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Date,
    Delete,
    Integer,
    Select,
    Table,
    UpdateBase,
    and_,
    bindparam,
    delete,
    or_,
    select,
    true,
    tuple_,
    update,
)

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.telemetry.tables import (
    telemetry_device_months,
    telemetry_events,
    telemetry_name_days,
    telemetry_tallies,
)


@dataclass(frozen=True, slots=True)
class End:
    """Where what is kept of a product begins: the first id, and the first day of the sums.

    `month` is that of the day, and `days` the bits of it that are kept. Tallies name the products
    that have anything, so that they stay a little longer: `tally_day` is the first.
    """

    institution_id: UUID
    product_id: UUID
    id: UUID
    day: date
    month: date
    days: int
    tally_day: date


Step = Callable[[Connection, Sequence[End], int], Awaitable[int]]
"""Deletes some rows before the ends of their products; answers how many, at most so many."""

_ENDS = Arrays(
    "ends",
    institution_id=Id,
    product_id=Id,
    id=Id,
    day=Date,
    month=Date,
    days=Integer,
    tally_day=Date,
)
_LIMIT = bindparam("limit", type_=Integer)


def _rows(table: Table, condition: ColumnElement[bool], *order: str) -> Select[tuple[object, ...]]:
    """The keys of rows that the condition meets, held until the statement is over.

    The order is that of an index, so that only what it leads to is read.
    """
    found = (
        select(*table.primary_key.columns)
        .where(
            table.c.institution_id == _ENDS.c.institution_id,
            table.c.product_id == _ENDS.c.product_id,
            condition,
        )
        .order_by(*(table.c[name] for name in order))
        .limit(_LIMIT)
        .with_for_update(skip_locked=True)
        .lateral("found")
    )
    return select(found).select_from(_ENDS.table.join(found, true())).limit(_LIMIT)


def _delete(table: Table, condition: ColumnElement[bool], *order: str) -> Delete:
    key = tuple_(*table.primary_key.columns)
    return delete(table).where(key.in_(_rows(table, condition, *order)))


_days = telemetry_device_months.c.days
_month = telemetry_device_months.c.month
_kept_days = _days.bitwise_and(_ENDS.c.days)

_DELETIONS = (
    _delete(telemetry_events, telemetry_events.c.id < _ENDS.c.id, "id"),
    _delete(telemetry_name_days, telemetry_name_days.c.day < _ENDS.c.day, "day"),
    _delete(
        telemetry_device_months,
        and_(_month <= _ENDS.c.month, or_(_month < _ENDS.c.month, _kept_days == 0)),
        "month",
    ),
)
_DELETE_TALLIES = _delete(telemetry_tallies, telemetry_tallies.c.day < _ENDS.c.tally_day, "day")

_first_month = _rows(
    telemetry_device_months,
    and_(_month == _ENDS.c.month, _kept_days != 0, _kept_days != _days),
    "month",
).subquery("first_month")
_key_columns = telemetry_device_months.primary_key.columns
_CUT = (
    update(telemetry_device_months)
    .where(
        *(column == _first_month.c[column.name] for column in _key_columns),
        telemetry_device_months.c.institution_id == _ENDS.c.institution_id,
        telemetry_device_months.c.product_id == _ENDS.c.product_id,
    )
    .values(days=_kept_days)
)


def _step(statement: UpdateBase) -> Step:
    async def run(db: Connection, ends: Sequence[End], limit: int) -> int:
        given = {**_ENDS.given(astuple(item) for item in ends), "limit": limit}
        return (await db.execute(statement, given)).rowcount

    return run


STEPS: Sequence[Step] = tuple(map(_step, (*_DELETIONS, _CUT, _DELETE_TALLIES)))
"""In this order: the tallies go last, since they tell of which products there is anything."""

"""Deletion of rows past their retention period, a bounded number at a time.

Each product has its own cutoff. Several processes may purge at once: each skips locked rows.
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

from licet_server.kit.database import Connection, Id
from licet_server.kit.statements import Arrays
from licet_server.telemetry.tables import (
    telemetry_device_months,
    telemetry_events,
    telemetry_name_days,
    telemetry_tallies,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoff:
    """The first event id and the first day of the totals that are kept of a product.

    `month` contains that day, and `days` are the bits of the days of it that are kept. Tallies say
    which products have telemetry, so they are kept a little longer, from `tally_day`.
    """

    institution_id: UUID
    product_id: UUID
    id: UUID
    day: date
    month: date
    days: int
    tally_day: date


PurgeStep = Callable[[Connection, Sequence[Cutoff], int], Awaitable[int]]
"""Deletes up to a number of rows before the cutoffs of their products; returns how many."""

_CUTOFFS = Arrays(
    "cutoffs",
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
    """Lock the rows that meet the condition, and select their keys.

    `order` is that of an index, so that only matching rows are read.
    """
    found = (
        select(*table.primary_key.columns)
        .where(
            table.c.institution_id == _CUTOFFS.c.institution_id,
            table.c.product_id == _CUTOFFS.c.product_id,
            condition,
        )
        .order_by(*(table.c[name] for name in order))
        .limit(_LIMIT)
        .with_for_update(skip_locked=True)
        .lateral("found")
    )
    return select(found).select_from(_CUTOFFS.table.join(found, true())).limit(_LIMIT)


def _delete(table: Table, condition: ColumnElement[bool], *order: str) -> Delete:
    key = tuple_(*table.primary_key.columns)
    return delete(table).where(key.in_(_rows(table, condition, *order)))


_days = telemetry_device_months.c.days
_month = telemetry_device_months.c.month
_kept_days = _days.bitwise_and(_CUTOFFS.c.days)

_DELETIONS = (
    _delete(telemetry_events, telemetry_events.c.id < _CUTOFFS.c.id, "id"),
    _delete(telemetry_name_days, telemetry_name_days.c.day < _CUTOFFS.c.day, "day"),
    _delete(
        telemetry_device_months,
        and_(_month <= _CUTOFFS.c.month, or_(_month < _CUTOFFS.c.month, _kept_days == 0)),
        "month",
    ),
)
_DELETE_TALLIES = _delete(telemetry_tallies, telemetry_tallies.c.day < _CUTOFFS.c.tally_day, "day")

_first_month = _rows(
    telemetry_device_months,
    and_(_month == _CUTOFFS.c.month, _kept_days != 0, _kept_days != _days),
    "month",
).subquery("first_month")
_key_columns = telemetry_device_months.primary_key.columns
_CLEAR_DAYS = (
    update(telemetry_device_months)
    .where(
        *(column == _first_month.c[column.name] for column in _key_columns),
        telemetry_device_months.c.institution_id == _CUTOFFS.c.institution_id,
        telemetry_device_months.c.product_id == _CUTOFFS.c.product_id,
    )
    .values(days=_kept_days)
)


def _purge_step(statement: UpdateBase) -> PurgeStep:
    async def run(db: Connection, cutoffs: Sequence[Cutoff], limit: int) -> int:
        given = {**_CUTOFFS.given(astuple(item) for item in cutoffs), "limit": limit}
        return (await db.execute(statement, given)).rowcount

    return run


PURGE_STEPS: Sequence[PurgeStep] = tuple(
    map(_purge_step, (*_DELETIONS, _CLEAR_DAYS, _DELETE_TALLIES))
)
"""In this order: tallies come last, since they say which products have telemetry."""

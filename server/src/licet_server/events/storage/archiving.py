"""The oldest events of chains, as they are archived and counted by day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Date,
    bindparam,
    cast,
    delete,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.events.rules.model import INSTANCE
from licet_server.events.tables import audit_chains, event_days, events
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.old_rows import INSTITUTIONS, deleted, gone, line_of, lines_of
from licet_server.kit.statements import Arrays

_NUMBERS = Arrays("archived", institution_id=Id, number=BigInteger)
_LINE = line_of(events)


@dataclass(frozen=True, slots=True)
class ArchivableEvent:
    """An event as JSON, its place in the chain, and its time."""

    number: int
    at: datetime
    line: str


_FIRST = (
    select(events.c.seal_number, events.c.occurred_at)
    .where(
        events.c.institution_id == INSTITUTIONS.c.institution_id,
        events.c.seal_number > 0,
    )
    .order_by(events.c.seal_number)
    .limit(1)
    .lateral("first")
)
# Numbers have no gaps, so one look-up tells whether there are enough events.
_ENOUGH = (
    select(events.c.seal_number)
    .where(
        events.c.institution_id == INSTITUTIONS.c.institution_id,
        events.c.seal_number == _FIRST.c.seal_number + bindparam("rows", type_=BigInteger),
        events.c.occurred_at < bindparam("before", type_=Instant),
    )
    .exists()
)
_DUE = (
    select(INSTITUTIONS.c.institution_id)
    .select_from(INSTITUTIONS.table.join(_FIRST, true()))
    .where(or_(_FIRST.c.occurred_at < bindparam("overdue", type_=Instant), _ENOUGH))
)


async def find_due(
    db: Connection, institution_ids: Sequence[UUID], before: datetime, overdue: datetime, rows: int
) -> list[UUID]:
    """Find the chains that begin with `rows` events from before `before`, or one `overdue`."""
    given = INSTITUTIONS.given([(item,) for item in institution_ids])
    values = {**given, "before": before, "overdue": overdue, "rows": rows - 1}
    return list((await db.execute(_DUE, values)).scalars())


async def fetch_oldest(
    db: Connection, institution_id: UUID, before: datetime, limit: int
) -> list[ArchivableEvent]:
    """Fetch the first events of a chain, up to one that is not old, not dispatched, or the head.

    The head is left out, so that the table always has an event of each chain.
    """
    head = (
        select(audit_chains.c.number)
        .where(audit_chains.c.institution_id == institution_id)
        .scalar_subquery()
    )
    statement = (
        select(events.c.seal_number, events.c.occurred_at, events.c.dispatched, _LINE)
        .where(
            events.c.institution_id == institution_id,
            events.c.seal_number > 0,
            events.c.seal_number < head,
        )
        .order_by(events.c.seal_number)
        .limit(limit)
    )
    rows = (await db.execute(statement)).all()
    due = takewhile(lambda row: row.dispatched and row.occurred_at < before, rows)
    return [ArchivableEvent(row.seal_number, row.occurred_at, row.line) for row in due]


_GONE = deleted(
    delete(events).where(
        events.c.institution_id == _NUMBERS.c.institution_id,
        events.c.seal_number == _NUMBERS.c.number,
    )
)
_OF_DAY = (
    select(
        gone(events.c.institution_id).label("institution_id"),
        cast(func.timezone("UTC", gone(events.c.occurred_at)), Date).label("day"),
        func.coalesce(gone(events.c.product_id), INSTANCE).label("product_id"),
        gone(events.c.kind).label("kind"),
    )
    .select_from(_GONE)
    .subquery("of_day")
)
_KEY = ("institution_id", "day", "product_id", "kind")
_ON = [_OF_DAY.c[name] for name in _KEY]
_COUNTED = upsert(event_days).from_select(
    [*_KEY, "number"],
    select(*_ON, func.count()).group_by(*_ON).order_by(*_ON),
)
_COUNT = _COUNTED.on_conflict_do_update(
    index_elements=_KEY, set_={"number": event_days.c.number + _COUNTED.excluded.number}
).cte("counted")
_REMOVE = lines_of(_GONE).add_cte(_COUNT)


async def remove(db: Connection, institution_id: UUID, numbers: Sequence[int]) -> list[str]:
    """Delete the events at these places of a chain, count them by day, and return them as JSON."""
    given = _NUMBERS.given([(institution_id, number) for number in numbers])
    return list((await db.execute(_REMOVE, given)).scalars())

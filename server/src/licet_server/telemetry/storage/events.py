"""Telemetry events, as they are stored together with their totals."""

from collections.abc import Mapping, Sequence
from datetime import date
from operator import attrgetter
from uuid import UUID

import msgspec
from sqlalchemy import BigInteger, ColumnElement, Date, Integer, and_, cast, literal, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Bytes, Connection, Id, Instant, Json, String
from licet_server.kit.ids import least_id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, added_to
from licet_server.telemetry.rules import ProductId, Sent, TelemetryEvent, TelemetryFilter, Totals
from licet_server.telemetry.tables import (
    telemetry_device_months,
    telemetry_events,
    telemetry_name_days,
    telemetry_tallies,
)


def _of_product(product: ProductId) -> ColumnElement[bool]:
    events = telemetry_events.c
    return and_(events.institution_id == product[0], events.product_id == product[1])


EVENTS = Rows(
    telemetry_events, TelemetryEvent, _of_product, sortable={"receivedAt": telemetry_events.c.id}
)

_SENT = Arrays(
    "sent",
    institution_id=Id,
    product_id=Id,
    day=Date,
    events=BigInteger,
    bytes=BigInteger,
    dropped=BigInteger,
)
_new_tally = insert(telemetry_tallies).from_select(list(_SENT.c.keys()), select(*_SENT.c))
_ADD_TO_TALLIES = _new_tally.on_conflict_do_update(
    index_elements=["institution_id", "product_id", "day"],
    set_={
        name: telemetry_tallies.c[name] + _new_tally.excluded[name]
        for name in ("events", "bytes", "dropped")
    },
).returning(
    telemetry_tallies.c.institution_id, telemetry_tallies.c.product_id, telemetry_tallies.c.bytes
)


async def add_to_tallies(
    db: Connection, day: date, sent: Mapping[ProductId, Sent]
) -> dict[ProductId, int]:
    """Add to what products sent on a day; return their bytes of that day."""
    rows = [(*product, day, item.events, item.bytes, 0) for product, item in sorted(sent.items())]
    found = await db.execute(_ADD_TO_TALLIES, _SENT.given(rows))
    return {(row.institution_id, row.product_id): row.bytes for row in found}


async def count_dropped(db: Connection, day: date, dropped: Mapping[ProductId, int]) -> None:
    """Count events of products that were dropped on a day."""
    rows = [(*product, day, 0, 0, count) for product, count in sorted(dropped.items())]
    await db.execute(_ADD_TO_TALLIES, _SENT.given(rows))


_NEW = Arrays(
    "given",
    institution_id=Id,
    id=Id,
    product_id=Id,
    license_id=Id,
    device=Bytes,
    name=String,
    occurred_at=Instant,
    received_at=Instant,
    properties=String,
)
_insert_events = (
    insert(telemetry_events)
    .from_select(
        [column.name for column in _NEW.c],
        select(
            *(cast(column, Json) if column.name == "properties" else column for column in _NEW.c)
        ),
    )
    .cte("stored")
)

_NAMED = Arrays("named", institution_id=Id, product_id=Id, day=Date, name=String, events=BigInteger)
_new_name_day = insert(telemetry_name_days).from_select(list(_NAMED.c.keys()), select(*_NAMED.c))
_add_to_name_days = _new_name_day.on_conflict_do_update(
    index_elements=["institution_id", "product_id", "day", "name"],
    set_={"events": added_to(telemetry_name_days.c.events, _new_name_day.excluded.events)},
).cte("added")

_USED = Arrays(
    "used",
    institution_id=Id,
    product_id=Id,
    month=Date,
    name=String,
    device=Bytes,
    license_id=Id,
    days=Integer,
)
_MONTH_KEY = ["institution_id", "product_id", "month", "name", "device", "license_id"]
_already_marked = (
    select(literal(1))
    .where(
        *(telemetry_device_months.c[name] == _USED.c[name] for name in _MONTH_KEY),
        telemetry_device_months.c.days.bitwise_and(_USED.c.days) == _USED.c.days,
    )
    .exists()
)
# A day that is already marked is skipped: an upsert would lock the row, which is a write.
_new_month = insert(telemetry_device_months).from_select(
    list(_USED.c.keys()), select(*_USED.c).where(~_already_marked)
)
_mark_device_months = _new_month.on_conflict_do_update(
    index_elements=_MONTH_KEY,
    set_={"days": telemetry_device_months.c.days.bitwise_or(_new_month.excluded.days)},
).cte("marked")

_STORE = select(literal(1)).add_cte(_add_to_name_days, _mark_device_months, _insert_events)


_scalars_of = attrgetter(*list(_NEW.c.keys())[:-1])


async def insert_events(db: Connection, events: Sequence[TelemetryEvent], totals: Totals) -> None:
    """Store events and their totals, all or nothing, also in autocommit."""
    rows = [(*_scalars_of(item), msgspec.json.encode(item.properties).decode()) for item in events]
    await db.execute(
        _STORE,
        {
            **_NEW.given(rows),
            **_NAMED.given((*key, count) for key, count in totals.name_days),
            **_USED.given((*key, days) for key, days in totals.device_months),
        },
    )


async def list_events(
    db: Connection, product: ProductId, filters: TelemetryFilter, paging: Paging
) -> Listing[TelemetryEvent]:
    """List the events of a product that match the filters, newest first."""
    first = None if filters.since is None else least_id(filters.since)
    end = None if filters.until is None else least_id(filters.until)
    return await EVENTS.page(db, product, paging, _matching, filters.name, first, end)


def _matching(name: str | None, first: UUID | None, end: UUID | None) -> list[ColumnElement[bool]]:
    events = telemetry_events.c
    conditions: list[ColumnElement[bool]] = []
    if name is not None:
        conditions.append(events.name == name)
    if first is not None:
        conditions.append(events.id >= first)
    if end is not None:
        conditions.append(events.id < end)
    return conditions

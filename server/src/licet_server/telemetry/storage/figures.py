"""Totals, as figures are computed from them, and the deletion of what is past its retention period.

Each query joins a list of products, so that it reads only the ranges of the keys that it needs,
however long totals are kept. Rows are deleted a bounded number at a time, each product's before its
own cutoff. Several processes may purge at once: each skips locked rows.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Date,
    Delete,
    Integer,
    Select,
    Subquery,
    Table,
    UpdateBase,
    and_,
    bindparam,
    cast,
    column,
    delete,
    func,
    or_,
    select,
    true,
    tuple_,
    update,
)

from licet_server.kit.database import Connection, Id, String, array_parameter
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules import NO_LICENSE, ProductId
from licet_server.telemetry.tables import (
    telemetry_device_months,
    telemetry_events,
    telemetry_name_days,
    telemetry_tallies,
)

Month = tuple[date, int]
"""The first of a month, and the bits of the requested days."""

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id)
_MONTHS = Arrays("asked", month=Date, days=Integer)
_OF_PRODUCTS = telemetry_name_days.join(
    _WANTED.table, _WANTED.same(telemetry_name_days, "institution_id", "product_id")
)


async def fetch_products(db: Connection, visibility: Visibility | None = None) -> list[ProductId]:
    """Fetch the products with telemetry: those that are visible, or all."""
    tallies = telemetry_tallies.c
    statement = select(tallies.institution_id, tallies.product_id).distinct()
    if visibility is not None:
        statement = statement.where(
            visible_to(visibility, tallies.institution_id, tallies.product_id)
        )
    return [(row.institution_id, row.product_id) for row in await db.execute(statement)]


async def count_dropped(
    db: Connection, products: Sequence[ProductId], first: date, last: date
) -> int:
    """Count the events that were received on these days and dropped."""
    tallies = telemetry_tallies
    of_products = tallies.join(_WANTED.table, _WANTED.same(tallies, "institution_id", "product_id"))
    statement = (
        select(func.coalesce(func.sum(tallies.c.dropped), 0))
        .select_from(of_products)
        .where(tallies.c.day.between(first, last))
    )
    return int((await db.execute(statement, _WANTED.given(products))).scalar_one())


async def count_by_day(
    db: Connection, products: Sequence[ProductId], first: date, last: date
) -> dict[date, int]:
    """Count the events of each day."""
    day = telemetry_name_days.c.day
    statement = (
        select(day, func.sum(telemetry_name_days.c.events))
        .select_from(_OF_PRODUCTS)
        .where(day.between(first, last))
        .group_by(day)
    )
    rows = await db.execute(statement, _WANTED.given(products))
    return {row[0]: int(row[1]) for row in rows}


async def rank_names(
    db: Connection, products: Sequence[ProductId], first: date, last: date, limit: int
) -> list[tuple[str, int]]:
    """Rank the most frequent events, and count how often each occurred."""
    name = telemetry_name_days.c.name
    total = func.sum(telemetry_name_days.c.events)
    statement = (
        select(name, total)
        .select_from(_OF_PRODUCTS)
        .where(telemetry_name_days.c.day.between(first, last))
        .group_by(name)
        .order_by(total.desc(), name)
        .limit(limit)
    )
    rows = await db.execute(statement, _WANTED.given(products))
    return [(row[0], int(row[1])) for row in rows]


async def count_devices_by_day(
    db: Connection, products: Sequence[ProductId], months: Sequence[Month]
) -> dict[date, int]:
    """Count the devices that reported events on each day."""
    found = _device_months()
    devices = (
        select(found.c.month, found.c.device, func.bit_or(found.c.days).label("days"))
        .where(found.c.device != b"")
        .group_by(found.c.month, found.c.device)
        .subquery("devices")
    )
    bits = func.generate_series(0, 30).table_valued(column("n", Integer)).render_derived("bits")
    day = cast(devices.c.month + bits.c.n, Date)
    statement = (
        select(day, func.count())
        .select_from(devices.join(bits, true()))
        .where(devices.c.days.bitwise_rshift(bits.c.n).bitwise_and(1) == 1)
        .group_by(day)
    )
    rows = await db.execute(statement, _parameters(products, months))
    return {row[0]: row[1] for row in rows}


async def count_devices_and_licenses(
    db: Connection, products: Sequence[ProductId], months: Sequence[Month]
) -> tuple[int, int]:
    """Count the devices and the licenses that events were reported for."""
    found = _device_months()
    pairs = select(found.c.device, found.c.license_id).distinct().subquery("pairs")
    statement = select(
        func.count(pairs.c.device.distinct()).filter(pairs.c.device != b""),
        func.count(pairs.c.license_id.distinct()).filter(pairs.c.license_id != NO_LICENSE),
    )
    row = (await db.execute(statement, _parameters(products, months))).one()
    return row[0], row[1]


async def count_devices_by_name(
    db: Connection, products: Sequence[ProductId], months: Sequence[Month], names: Sequence[str]
) -> dict[str, int]:
    """Count the devices that reported each of these events."""
    found = _device_months()
    wanted = func.any(array_parameter("names", String))
    pairs = (
        select(found.c.name, found.c.device)
        .where(found.c.name == wanted, found.c.device != b"")
        .distinct()
        .subquery("pairs")
    )
    statement = select(pairs.c.name, func.count()).group_by(pairs.c.name)
    given = {**_parameters(products, months), "names": list(names)}
    return {row[0]: row[1] for row in await db.execute(statement, given)}


def _device_months() -> Subquery:
    months = telemetry_device_months.c
    days = months.days.bitwise_and(_MONTHS.c.days)
    found: Select[Any] = (
        select(months.month, months.name, months.device, months.license_id, days.label("days"))
        .join(_WANTED.table, _WANTED.same(telemetry_device_months, "institution_id", "product_id"))
        .join(_MONTHS.table, months.month == _MONTHS.c.month)
        .where(days != 0)
    )
    return found.subquery("found")


def _parameters(products: Sequence[ProductId], months: Sequence[Month]) -> dict[str, list[Any]]:
    return {**_WANTED.given(products), **_MONTHS.given(months)}


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
            _CUTOFFS.same(table, "institution_id", "product_id"),
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
        _CUTOFFS.same(telemetry_device_months, "institution_id", "product_id"),
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

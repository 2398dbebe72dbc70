"""Figures from the totals.

Each query joins a list of products, so that it reads only the ranges of the keys that it needs,
however long totals are kept.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import Date, Integer, Select, Subquery, cast, column, func, select, true

from licet_server.kit.database import Connection, Id, String, array_parameter
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.visibility import Visibility
from licet_server.telemetry.rules import NO_LICENSE, ProductId
from licet_server.telemetry.tables import (
    telemetry_device_months,
    telemetry_name_days,
    telemetry_tallies,
)

Month = tuple[date, int]
"""The first of a month, and the bits of the requested days."""

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id)
_MONTHS = Arrays("asked", month=Date, days=Integer)
_OF_PRODUCTS = telemetry_name_days.join(
    _WANTED.table,
    (telemetry_name_days.c.institution_id == _WANTED.c.institution_id)
    & (telemetry_name_days.c.product_id == _WANTED.c.product_id),
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
    of_products = tallies.join(
        _WANTED.table,
        (tallies.c.institution_id == _WANTED.c.institution_id)
        & (tallies.c.product_id == _WANTED.c.product_id),
    )
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
        .join(
            _WANTED.table,
            (months.institution_id == _WANTED.c.institution_id)
            & (months.product_id == _WANTED.c.product_id),
        )
        .join(_MONTHS.table, months.month == _MONTHS.c.month)
        .where(days != 0)
    )
    return found.subquery("found")


def _parameters(products: Sequence[ProductId], months: Sequence[Month]) -> dict[str, list[Any]]:
    return {**_WANTED.given(products), **_MONTHS.given(months)}

"""Queries of prices."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, insert, select, true, update

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.metering.rules.model import FeaturePrice
from licet_server.metering.tables import feature_prices as prices

_WANTED = Arrays("wanted", institution_id=Id, feature_id=Id)
_ACTIVE = (
    select(prices.c.feature_id, prices.c.token_cost)
    .where(
        prices.c.institution_id == _WANTED.c.institution_id,
        prices.c.feature_id == _WANTED.c.feature_id,
        prices.c.replaced_at.is_(None),
    )
    .limit(1)
    .lateral("active")
)
_FIND = select(_ACTIVE).select_from(_WANTED.table.join(_ACTIVE, true()))

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": prices.c.id,
    "tokenCost": prices.c.token_cost,
}


def _price(row: Row[Any]) -> FeaturePrice:
    return FeaturePrice(**row._mapping)


async def fetch_active(
    db: Connection, features: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, Decimal]:
    """Current prices by feature id, for (institution, feature) pairs."""
    rows = await db.execute(_FIND, _WANTED.given(features))
    return {row.feature_id: row.token_cost for row in rows}


async def fetch_current(
    db: Connection, institution_id: UUID, feature_id: UUID
) -> FeaturePrice | None:
    statement = select(prices).where(
        prices.c.institution_id == institution_id,
        prices.c.feature_id == feature_id,
        prices.c.replaced_at.is_(None),
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _price(row)


async def retire(db: Connection, item: FeaturePrice, now: datetime) -> None:
    await db.execute(
        update(prices)
        .where(prices.c.institution_id == item.institution_id, prices.c.id == item.id)
        .values(replaced_at=now)
    )


async def insert_price(db: Connection, item: FeaturePrice) -> None:
    await db.execute(insert(prices).values(**asdict(item)))


async def list_prices(
    db: Connection, institution_id: UUID, product_id: UUID, feature_id: UUID, paging: Paging
) -> Listing[FeaturePrice]:
    statement = select(prices).where(
        prices.c.institution_id == institution_id,
        prices.c.product_id == product_id,
        prices.c.feature_id == feature_id,
    )
    listing = await fetch_listing(db, statement, paging, id_column=prices.c.id, sortable=_SORTABLE)
    return listing.of(_price)

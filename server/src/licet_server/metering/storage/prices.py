"""Prices of features, as they are stored."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select, true

from licet_server.catalog.rules.model import Feature
from licet_server.kit.database import Connection, Id
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays
from licet_server.metering.rules.model import FeaturePrice
from licet_server.metering.tables import feature_prices as prices


def _of_feature(feature: Feature) -> ColumnElement[bool]:
    return and_(
        prices.c.institution_id == feature.institution_id,
        prices.c.product_id == feature.product_id,
        prices.c.feature_id == feature.id,
    )


PRICES = Rows(
    prices,
    FeaturePrice,
    _of_feature,
    sortable={"createdAt": prices.c.id, "tokenCost": prices.c.token_cost},
)

_REQUESTED = Arrays("wanted", institution_id=Id, feature_id=Id)
_ACTIVE = (
    select(prices.c.feature_id, prices.c.token_cost)
    .where(
        prices.c.institution_id == _REQUESTED.c.institution_id,
        prices.c.feature_id == _REQUESTED.c.feature_id,
        prices.c.replaced_at.is_(None),
    )
    .limit(1)
    .lateral("active")
)
_FIND = select(_ACTIVE).select_from(_REQUESTED.table.join(_ACTIVE, true()))


async def fetch_active(
    db: Connection, features: Sequence[tuple[UUID, UUID]]
) -> dict[UUID, Decimal]:
    """Fetch current prices by feature ID, for pairs of institution and feature."""
    rows = await db.execute(_FIND, _REQUESTED.given(features))
    return {row.feature_id: row.token_cost for row in rows}


async def fetch_current(
    db: Connection, institution_id: UUID, feature_id: UUID
) -> FeaturePrice | None:
    statement = PRICES.select(
        prices.c.institution_id == institution_id,
        prices.c.feature_id == feature_id,
        prices.c.replaced_at.is_(None),
    )
    return await PRICES.one(db, statement)

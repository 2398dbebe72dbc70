"""Feature prices, for Credit-Based licenses."""

from dataclasses import replace
from decimal import Decimal
from uuid import UUID

from licet_server.catalog.service.features import fetch_feature, lock_feature
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.metering.rules.model import FeaturePrice
from licet_server.metering.service.events import priced_event
from licet_server.metering.storage.prices import PRICES, fetch_current


async def set_price(
    work: UnitOfWork, operator: Operator, feature_id: UUID, token_cost: Decimal
) -> FeaturePrice:
    """Set the price of a feature from now on; earlier prices stay in its history.

    Setting the current price again changes nothing.
    """
    feature = await lock_feature(work, operator, feature_id)
    current = await fetch_current(work.db, feature.institution_id, feature.id)
    if current is not None and current.token_cost == token_cost:
        return current
    if current is not None:
        await PRICES.save(work.db, replace(current, replaced_at=work.now))
    price = FeaturePrice(
        institution_id=feature.institution_id,
        id=work.new_id(),
        product_id=feature.product_id,
        feature_id=feature.id,
        token_cost=token_cost,
        created_at=work.now,
    )
    await PRICES.insert(work.db, price)
    await record_events(work, [priced_event(price, current)])
    return price


async def list_prices(
    db: Connection, operator: Operator, feature_id: UUID, paging: Paging
) -> Listing[FeaturePrice]:
    """List the prices that a feature has had, newest first."""
    feature = await fetch_feature(db, operator, feature_id)
    return await PRICES.page(db, feature, paging)

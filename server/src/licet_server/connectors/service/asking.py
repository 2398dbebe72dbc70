"""Asks shops for the addresses of buyers whom they knew before the connector existed."""

import structlog
from httpcore import AsyncConnectionPool

from licet_server.connectors.rules.buyers import buyer_of, path_of_buyer
from licet_server.connectors.rules.facts import Buyer, Fact, FactKind
from licet_server.connectors.service.connectors import open_api_key
from licet_server.connectors.service.shop_api import FAILURES, base_of, read_object
from licet_server.connectors.storage import orders
from licet_server.connectors.storage.orders import UnnamedBuyer
from licet_server.kit.outbound.network import Network, open_connections
from licet_server.kit.platform import Platform

BUYERS_AT_ONCE = 20

_log = structlog.get_logger("licet.connectors")


async def ask_for_buyers(platform: Platform, network: Network) -> int:
    """Fetch the addresses that due orders lack, and store them; return how many were found.

    Nothing is locked meanwhile. An order whose buyer the shop does not name is tried again later.
    """
    async with platform.database.reading() as db:
        found = await orders.fetch_unnamed(db, platform.clock(), BUYERS_AT_ONCE)
    if not found:
        return 0
    total = 0
    async with open_connections(network) as connections:
        for item in found:
            buyer = await _asked(platform, connections.of(item.connector_id), item)
            if buyer is not None:
                now = platform.clock()
                fact = Fact(
                    kind=FactKind.BUYER, event_id=f"asked {now}", occurred_at=now, buyer=buyer
                )
                async with platform.database.transaction() as db:
                    await orders.save_buyers(db, item.institution_id, item.connector_id, [fact])
                total += 1
    return total


async def _asked(platform: Platform, pool: AsyncConnectionPool, item: UnnamedBuyer) -> Buyer | None:
    path = path_of_buyer(item.kind, item.reference, item.order)
    if path is None:
        return None
    try:
        key = open_api_key(platform.keyring, item.connector_id, item.api_key)
        answer = await read_object(pool, f"{base_of(item.kind, item.api_url)}{path}", key)
    except FAILURES as error:
        _log.warning(
            "buyer_not_fetched", connector=str(item.connector_id), error=type(error).__name__
        )
        return None
    return buyer_of(item.kind, item.reference, answer)

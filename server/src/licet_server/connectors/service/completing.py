"""Fetches the lines of invoices that an event leaves out, with the API key of the connector."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from httpcore import AsyncConnectionPool

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.stripe import MAX_INVOICE_LINES, with_lines
from licet_server.connectors.service.connectors import open_api_key
from licet_server.connectors.service.shop_api import (
    FAILURES,
    ShopRefused,
    base_of,
    read_object,
)
from licet_server.connectors.storage import inbox
from licet_server.connectors.storage.inbox import IncompleteEvent
from licet_server.kit.outbound.network import Network, open_connections
from licet_server.kit.platform import Platform

PAGE_LINES = 100
EVENTS_AT_ONCE = 20

_INVOICE = re.compile(r"[A-Za-z0-9_]{1,255}\Z")
_log = structlog.get_logger("licet.connectors")


async def complete_due(platform: Platform, network: Network) -> int:
    """Fetch the lines that events of due orders lack, and make these events pending again.

    Nothing is locked meanwhile. An order whose lines cannot be fetched says that they are missing,
    and is tried again later.
    """
    async with platform.database.reading() as db:
        found = await inbox.fetch_incomplete(db, platform.clock(), EVENTS_AT_ONCE)
    if not found:
        return 0
    total = 0
    async with open_connections(network) as connections:
        for item in found:
            body = await _completed(platform, connections.of(item.connector_id), item)
            if body is not None:
                async with platform.database.transaction() as db:
                    await inbox.save_completed(db, item, body)
                total += 1
    return total


async def _completed(
    platform: Platform, pool: AsyncConnectionPool, item: IncompleteEvent
) -> str | None:
    """Return the body of an event with all lines, or `None` if they cannot be fetched."""
    try:
        key = open_api_key(platform.keyring, item.connector_id, item.api_key)
        event: dict[str, Any] = msgspec.json.decode(item.body)
        invoice = str(event["data"]["object"]["id"])
        if _INVOICE.match(invoice) is None:
            return None
        base = base_of(ConnectorKind.STRIPE, item.api_url)
        lines = await _lines(pool, f"{base}/v1/invoices/{invoice}/lines", key)
        return msgspec.json.encode(with_lines(event, lines)).decode()
    except (KeyError, TypeError, ShopRefused, *FAILURES) as error:
        _log.warning("lines_not_fetched", event_id=str(item.id), error=type(error).__name__)
        return None


async def _lines(pool: AsyncConnectionPool, url: str, key: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    after = ""
    while True:
        page = await _page(pool, f"{url}?limit={PAGE_LINES}{after}", key)
        lines = [line for line in page.get("data") or () if isinstance(line, dict)]
        found += lines
        if page.get("has_more") is not True:
            return found
        last = str(lines[-1].get("id")) if lines else ""
        if len(found) >= MAX_INVOICE_LINES or _INVOICE.match(last) is None:
            raise ShopRefused
        after = f"&starting_after={last}"


async def _page(pool: AsyncConnectionPool, url: str, key: str) -> Mapping[str, Any]:
    page = await read_object(pool, url, key)
    if not isinstance(page.get("data"), list):
        raise ShopRefused
    return page

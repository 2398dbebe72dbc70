"""Asks the API of a shop, with the key of the connector, for what its events leave out.

Such are the address of a buyer who is older than the connector, and the lines of a long invoice.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from httpcore import (
    URL,
    AsyncConnectionPool,
    NetworkError,
    ProtocolError,
    TimeoutException,
    UnsupportedProtocol,
)

from licet_server.connectors.rules.facts import Buyer, Fact, FactKind
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.rules.providers import buyer_of, path_of_buyer
from licet_server.connectors.rules.stripe import MAX_INVOICE_LINES, with_lines
from licet_server.connectors.service.connectors import open_api_key
from licet_server.connectors.storage import inbox, orders
from licet_server.connectors.storage.inbox import IncompleteEvent
from licet_server.connectors.storage.orders import UnnamedBuyer
from licet_server.kit.keyring import CannotOpen
from licet_server.kit.outbound.network import (
    NameUnknown,
    Network,
    NotPublic,
    admits_public,
    open_connections,
    public_trust,
)
from licet_server.kit.platform import Platform

BUYERS_AT_ONCE = 20


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


ANSWER_SECONDS = 15.0
ANSWER_BYTES = 4 * 1024 * 1024

_BASES = {
    ConnectorKind.STRIPE: "https://api.stripe.com",
    ConnectorKind.PADDLE: "https://api.paddle.com",
    ConnectorKind.LEMON_SQUEEZY: "https://api.lemonsqueezy.com",
}
_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), ANSWER_SECONDS)


class ShopRefused(Exception):
    """The shop answered with something else than what it was asked for."""


FAILURES = (
    ShopRefused,
    TimeoutError,
    CannotOpen,
    NameUnknown,
    NotPublic,
    NetworkError,
    ProtocolError,
    TimeoutException,
    UnsupportedProtocol,
    msgspec.MsgspecError,
)
"""What can go wrong while a shop is asked."""


def public_network(platform: Platform) -> Network:
    """Return the network of shops: public addresses only, unless the settings allow others."""
    return Network(admits_public(platform.settings.webhooks_allow_private), public_trust)


def base_of(kind: ConnectorKind, api_url: str | None) -> str:
    """Return where the API of a shop is, without a slash at the end."""
    return (api_url or _BASES[kind]).rstrip("/")


async def read_object(pool: AsyncConnectionPool, url: str, key: str) -> Mapping[str, Any]:
    """Return the JSON object at a URL of a shop's API.

    Raises:
        ShopRefused: it is not there, or is no object. And what else is in `FAILURES`.
    """
    body = bytearray()
    headers = [
        ("host", URL(url).host.decode()),
        ("authorization", f"Bearer {key}"),
        ("accept", "application/json, application/vnd.api+json"),
    ]
    async with (
        asyncio.timeout(ANSWER_SECONDS),
        pool.stream(
            "GET", URL(url), headers=headers, extensions={"timeout": _TIMEOUTS}
        ) as response,
    ):
        if response.status != 200:
            raise ShopRefused
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > ANSWER_BYTES:
                raise ShopRefused
    answer = msgspec.json.decode(bytes(body))
    if not isinstance(answer, dict):
        raise ShopRefused
    return answer

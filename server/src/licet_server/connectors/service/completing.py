"""Fetches the lines of invoices that an event leaves out, with the API key of the connector."""

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

from licet_server.connectors.rules.stripe import MAX_INVOICE_LINES, with_lines
from licet_server.connectors.service.connectors import open_api_key
from licet_server.connectors.storage import inbox
from licet_server.connectors.storage.inbox import IncompleteEvent
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

STRIPE = "https://api.stripe.com"
PAGE_SECONDS = 15.0
PAGE_LINES = 100
PAGE_BYTES = 4 * 1024 * 1024
EVENTS_AT_ONCE = 20

_INVOICE = re.compile(r"[A-Za-z0-9_]{1,255}\Z")
_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), PAGE_SECONDS)
_FAILURES = (
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
_log = structlog.get_logger("licet.connectors")


class _Refused(Exception):
    """The shop answered with something else than lines."""


async def complete_events(platform: Platform) -> int:
    """Fetch what due orders lack, from public addresses only; return how many events it was."""
    network = Network(admits_public(platform.settings.webhooks_allow_private), public_trust)
    return await complete_due(platform, network)


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
        base = (item.api_url or STRIPE).rstrip("/")
        lines = await _lines(pool, f"{base}/v1/invoices/{invoice}/lines", key)
        return msgspec.json.encode(with_lines(event, lines)).decode()
    except (KeyError, TypeError, _Refused, *_FAILURES) as error:
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
            raise _Refused
        after = f"&starting_after={last}"


async def _page(pool: AsyncConnectionPool, url: str, key: str) -> Mapping[str, Any]:
    body = bytearray()
    headers = [("authorization", f"Bearer {key}"), ("accept", "application/json")]
    async with (
        asyncio.timeout(PAGE_SECONDS),
        pool.stream(
            "GET",
            URL(url),
            headers=[("host", URL(url).host.decode()), *headers],
            extensions={"timeout": _TIMEOUTS},
        ) as response,
    ):
        if response.status != 200:
            raise _Refused
        async for chunk in response.aiter_stream():
            body += chunk
            if len(body) > PAGE_BYTES:
                raise _Refused
    page = msgspec.json.decode(bytes(body))
    if not isinstance(page, dict) or not isinstance(page.get("data"), list):
        raise _Refused
    return page

"""The running release, and the check for a newer one."""

import asyncio
from datetime import UTC, datetime, timedelta

import httpx
import msgspec
import structlog

from licet_server import RELEASE_DATE, __version__
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.upgrades import storage
from licet_server.upgrades.rules import ServiceRelease, is_offered

CHECK_INTERVAL = timedelta(days=1)
FEED_SECONDS = 10.0
FEED_BYTES = 64 * 1024

_log = structlog.get_logger("licet.upgrades")


class _Feed(msgspec.Struct, rename="camel"):
    """The response of a feed, which has the form of `GET /api/version`."""

    version: str
    notes_url: str
    released_at: datetime | None = None


def running_release(address: str) -> ServiceRelease:
    """Return the release of this service, which is reached at `address`."""
    released_at = datetime.fromisoformat(RELEASE_DATE).replace(tzinfo=UTC)
    return ServiceRelease(__version__, released_at, f"{address}/whats-new")


async def find_upgrade(db: Connection) -> ServiceRelease | None:
    """Return the newer release that the feed named at the last check."""
    release = await storage.fetch_available(db)
    return release if release is not None and is_offered(release, __version__) else None


async def check_feed(platform: Platform) -> int:
    """Store the release that the feed names; return 1 if it is newer than the running one.

    One process of the instance requests the feed, once a day; without a feed, nothing is
    requested. After a feed that cannot be read, what it named before stays until the next check.
    """
    url = platform.settings.update_feed_url
    async with platform.database.transaction() as db:
        if url is None:
            await storage.forget_check(db)
            return 0
        if not await storage.claim_check(db, platform.clock(), CHECK_INTERVAL):
            return 0
    release = await _read_feed(url)
    if release is None or not is_offered(release, __version__):
        return 0
    async with platform.database.transaction() as db:
        await storage.store_available(db, release)
    return 1


async def _read_feed(url: str) -> ServiceRelease | None:
    try:
        feed = msgspec.json.decode(await _fetch(url), type=_Feed)
    except (TimeoutError, httpx.HTTPError, msgspec.DecodeError) as error:
        _log.warning("update_feed_unreadable", error=type(error).__name__)
        return None
    released_at = feed.released_at
    if released_at is not None and released_at.tzinfo is None:
        released_at = released_at.replace(tzinfo=UTC)
    return ServiceRelease(feed.version, released_at, feed.notes_url)


async def _fetch(url: str) -> bytes:
    """Return the start of the feed's body; a longer body will not decode."""
    body = bytearray()
    async with (
        asyncio.timeout(FEED_SECONDS),
        httpx.AsyncClient(timeout=FEED_SECONDS) as client,
        client.stream("GET", url, headers={"accept": "application/json"}) as response,
    ):
        response.raise_for_status()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > FEED_BYTES:
                break
    return bytes(body[:FEED_BYTES])

"""Transactions of tests that may take longer than those of the service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from licet_server.kit.database import Connection, create_engine
from licet_server.kit.platform import Platform


@asynccontextmanager
async def unhurried(platform: Platform) -> AsyncIterator[Connection]:
    """Open a transaction without limits of time, which fills a large table on a busy machine."""
    limits = {"statement_timeout": "0", "lock_timeout": "0"}
    engine = create_engine(platform.settings.database_url or "", 1, limits)
    try:
        async with engine.begin() as db:
            yield db
    finally:
        await engine.dispose()

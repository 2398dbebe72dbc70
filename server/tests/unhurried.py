"""Transactions of tests that may take longer than those of the service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import create_async_engine

from licet_server.kit.connecting import connect_arguments
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


@asynccontextmanager
async def unhurried(platform: Platform) -> AsyncIterator[Connection]:
    """Open a transaction without limits of time, which fills a large table on a busy machine."""
    url = platform.settings.database_url or ""
    arguments = connect_arguments(url, {}, command_timeout=None)
    engine = create_async_engine("postgresql+asyncpg://", connect_args=arguments)
    try:
        async with engine.begin() as db:
            yield db
    finally:
        await engine.dispose()

"""Transactions of tests that may take longer than those of the service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from patience import until_found
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from licet_server.kit.connecting import connect_arguments
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform


@asynccontextmanager
async def unhurried(platform: Platform) -> AsyncIterator[Connection]:
    """Open a transaction without limits of time, which fills a large table on a busy machine."""
    async with _opened(platform) as engine, engine.begin() as db:
        yield db


@asynccontextmanager
async def _opened(platform: Platform) -> AsyncIterator[AsyncEngine]:
    url = platform.settings.database_url or ""
    arguments = connect_arguments(url, {}, command_timeout=None)
    engine = create_async_engine("postgresql+asyncpg://", connect_args=arguments)
    try:
        yield engine
    finally:
        await engine.dispose()


_IS_VISIBLE = "SELECT relallvisible >= 0.9 * relpages FROM pg_class WHERE oid = to_regclass(:name)"
"""Not all: the server makes a table larger by several pages at once, and leaves some unused."""


async def vacuum(platform: Platform, table: str) -> None:
    """Vacuum and analyze a table, again until its pages are visible to everybody.

    While anyone has an older snapshot, such as an analysis that the server began by itself, pages
    with new rows are not. A scan of an index alone would visit them, and the planner chooses
    another index.
    """
    async with _opened(platform) as engine:
        autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        async with autocommit.connect() as db:

            async def look() -> bool:
                await db.execute(text(f"VACUUM ANALYZE {table}"))
                return bool((await db.execute(text(_IS_VISIBLE), {"name": table})).scalar_one())

            await until_found(look)

"""Writes the next migration: `python -m licet_server.migrations "what changes"`, for developers.

It brings an empty database to the newest version and compares it with the tables in the code.
"""

import asyncio
import sys

from alembic import command
from sqlalchemy.ext.asyncio import create_async_engine

from licet_server.kit.postgres import temporary_postgres
from licet_server.migrations import config, migrate


async def _write(url: str, message: str) -> None:
    await migrate(url)
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        await connection.run_sync(
            lambda sync: command.revision(config(sync), message=message, autogenerate=True)
        )
    await engine.dispose()


if __name__ == "__main__":
    with temporary_postgres() as cluster:
        asyncio.run(_write(cluster.url, " ".join(sys.argv[1:]) or "change"))

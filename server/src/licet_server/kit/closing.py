"""Services that may have waiting callers when the application stops."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from licet_server.kit.database import Database


class Closable(Protocol):
    """A service that may have waiting callers when the application stops."""

    async def aclose(self) -> None:
        """Complete the pending calls, then stop."""
        ...


@asynccontextmanager
async def closing_after(services: Sequence[Closable], database: Database) -> AsyncIterator[None]:
    """Close the services after the application, each before the services that it calls."""
    try:
        yield
    finally:
        for service in services:
            await service.aclose()
        await database.close()

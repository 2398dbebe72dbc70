"""What operators read leaves connections, and turns of the process, to applications."""

import asyncio
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

import pytest
from patience import until
from sqlalchemy import text

from licet_server.kit.database import (
    CHANGES_AT_ONCE,
    KEYED_POOL_SIZE,
    LOOK_UPS_AT_ONCE,
    SURVEYS_AT_ONCE,
    Database,
)
from licet_server.kit.direct import DirectConnection
from licet_server.kit.platform import Platform


@pytest.fixture
def database(breakable_application: Any) -> Database:
    """The database of an application that nothing else uses."""
    platform: Platform = breakable_application.platform
    return platform.database


async def test_operators_leave_connections_to_applications(database: Database) -> None:
    async with AsyncExitStack() as held:
        for _ in range(LOOK_UPS_AT_ONCE):
            await held.enter_async_context(database.looking_up())
        for _ in range(CHANGES_AT_ONCE):
            await held.enter_async_context(database.changing_by_key())
        next_ones = [
            asyncio.create_task(_run(opened))
            for opened in (database.looking_up(), database.changing_by_key())
        ]
        for _ in range(KEYED_POOL_SIZE - LOOK_UPS_AT_ONCE - CHANGES_AT_ONCE):
            db = await held.enter_async_context(database.keyed())
            await db.execute(text("SELECT 1"))
        assert not any(item.done() for item in next_ones)
    await asyncio.gather(*next_ones)


async def test_look_ups_that_fail_give_their_turns_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    for _ in range(LOOK_UPS_AT_ONCE):
        with pytest.raises(ZeroDivisionError):
            async with database.looking_up():
                raise ZeroDivisionError
        with monkeypatch.context() as patched:
            patched.setattr(DirectConnection, "start", refuse)
            with pytest.raises(ConnectionRefusedError):
                await _run(database.looking_up())
    await _run(database.looking_up())


async def test_few_surveys_run_at_a_time(database: Database) -> None:
    """The third begins when the first has ended, and its waiting holds no connection."""
    async with AsyncExitStack() as held:
        for _ in range(SURVEYS_AT_ONCE):
            await held.enter_async_context(database.surveying())
        waiting = [asyncio.create_task(_run(database.surveying())) for _ in range(5)]
        await until(lambda: database.pools()["main"].in_use == SURVEYS_AT_ONCE)
        async with database.reading() as db:
            await db.execute(text("SELECT 1"))
        assert not any(task.done() for task in waiting)
        waiting[0].cancel()
    await asyncio.gather(*waiting[1:])
    assert waiting[0].cancelled()


async def _run(opened: AbstractAsyncContextManager[Any]) -> None:
    async with opened as db:
        await db.execute(text("SELECT 1"))

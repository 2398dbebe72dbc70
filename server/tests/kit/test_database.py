"""Which failures are worth another try, and which batches are worth halving."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from licet_server.kit.coalesce import Coalescer
from licet_server.kit.database import concerns_one_item, open_database
from licet_server.kit.outages import is_unavailable
from licet_server.kit.platform import Platform


async def test_a_refused_statement_is_no_outage(platform: Platform) -> None:
    async with platform.database.reading() as db:
        with pytest.raises(DBAPIError) as caught:
            await db.execute(text("SELECT 1 / 0"))
    assert not is_unavailable(caught.value)


@pytest.mark.parametrize(
    ("said", "is_outage"),
    [("failure on connection marked as essential: worker:5432", True), ("cache is broken", False)],
)
async def test_a_node_that_is_lost_within_a_transaction_is_an_outage(
    platform: Platform, said: str, is_outage: bool
) -> None:
    raised = f"DO $$ BEGIN RAISE EXCEPTION '{said}' USING ERRCODE = 'XX000'; END $$"
    with pytest.raises(DBAPIError) as caught:
        async with platform.database.transaction() as db:
            await db.execute(text(raised))
    assert is_unavailable(caught.value) is is_outage


@pytest.mark.parametrize("first", [b"", b"N", b"N" + bytes(4)])
async def test_a_server_that_dies_while_it_is_connected_to_is_an_outage(first: bytes) -> None:
    async def die(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(8)  # the question whether TLS is spoken
        writer.write(first)
        if first:
            await reader.read(8)
        writer.close()

    dying = await asyncio.start_server(die, "127.0.0.1", 0)
    port = dying.sockets[0].getsockname()[1]
    database = open_database(f"postgresql+asyncpg://nobody@127.0.0.1:{port}/none", 2)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which one depends on the moment
        async with database.reading() as db:
            await db.execute(text("SELECT 1"))
    assert is_unavailable(caught.value), repr(caught.value)
    await database.close()
    dying.close()


async def test_a_batch_is_not_halved_while_the_database_is_away() -> None:
    database = open_database("postgresql+asyncpg://nobody@127.0.0.1:1/none", 2)
    calls = 0

    async def look_up(items: Sequence[int]) -> list[int]:
        nonlocal calls
        calls += 1
        async with database.reading() as db:
            await db.execute(text("SELECT 1"))
        return list(items)

    async with Coalescer(look_up, bisects=concerns_one_item) as coalescer:
        answers = await asyncio.gather(
            *(coalescer.submit(number) for number in range(64)), return_exceptions=True
        )
    assert all(isinstance(answer, Exception) and is_unavailable(answer) for answer in answers)
    assert calls == 1
    await database.close()

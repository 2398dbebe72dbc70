"""The background jobs of the demonstration."""

import asyncio
from datetime import UTC, datetime

import pytest

from licet_server.demo.client import Calendar
from licet_server.demo.jobs import Asked, Jobs
from licet_server.demo.shop import Message

TODAY = datetime(2026, 8, 15, tzinfo=UTC)


async def test_jobs_run_one_after_another_at_the_instant_at_which_they_were_started() -> None:
    calendar = Calendar(TODAY)
    said: list[object] = []

    async def perform(asked: Asked) -> None:
        said.append(f"begin {asked.names[0]}")
        await asyncio.sleep(0)
        said.append((asked.names[0], asked.position, asked.messages, asked.is_down))

    jobs = Jobs(calendar, perform)
    calendar.turn_to(-7)
    paid = Message("/api/connectors/1/inbox", "{}", {})
    jobs.start("shop", messages=[paid])
    calendar.turn_to(-6.5)
    last = jobs.start("mail", is_down=True)
    calendar.turn_to(0)
    await last
    assert said == [
        *("begin shop", ("shop", -7, (paid,), False)),
        *("begin mail", ("mail", -6.5, (), True)),
    ]


async def test_whoever_waits_for_jobs_learns_that_they_have_failed() -> None:
    async def perform(_asked: Asked) -> None:
        raise EOFError

    with pytest.raises(EOFError):
        await Jobs(Calendar(TODAY), perform).start("shop")

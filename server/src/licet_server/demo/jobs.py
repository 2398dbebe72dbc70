"""Receives what the shop sends, and runs the background jobs, in a second process of the service.

So the machine works off what was sold, and dispatches events, while the customers' machines send
their requests. With a single core, the jobs run in the process that sends the requests.
"""

import asyncio
import logging
import multiprocessing
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, cast

import httpx

from licet_server.app import build_app, build_platform
from licet_server.demo.back_office import BackOffice
from licet_server.demo.client import ADDRESS, Calendar, DemoClient, PatientTransport
from licet_server.demo.shop import Message
from licet_server.kit.logs import configure_logs
from licet_server.kit.process import exempt_heap, usable_cores
from licet_server.kit.settings import Settings
from licet_server.webhooks.service.delivering import deliver_due
from licet_server.worker import JOBS

HASTY = {"synchronous_commit": "off", "plan_cache_mode": "auto"}
"""What is interrupted begins again, so nothing must be on the disk before the end. No table is so
large that each statement needs a plan for its values."""


class Asked(NamedTuple):
    """The messages of the shop to receive, then the jobs to run one after another, at an instant.

    While the back office `is_down`, it receives no webhooks.
    """

    names: tuple[str, ...]
    position: float
    messages: tuple[Message, ...]
    is_down: bool


Perform = Callable[[Asked], Awaitable[None]]


class Jobs:
    """Runs the background jobs, by name, each at the instant at which it was asked for."""

    def __init__(self, calendar: Calendar, perform: Perform) -> None:
        self._calendar = calendar
        self._perform = perform
        self._turn = asyncio.Lock()

    def start(
        self, *names: str, messages: Iterable[Message] = (), is_down: bool = False
    ) -> asyncio.Task[None]:
        """Run jobs after those that were started before; whoever waits for the task waits for all.

        They find the messages of the shop. While the back office `is_down`, it receives no
        webhooks.
        """
        asked = Asked(names, self._calendar.position, tuple(messages), is_down)
        return asyncio.create_task(self._run(asked))

    async def _run(self, asked: Asked) -> None:
        async with self._turn:
            await self._perform(asked)


@asynccontextmanager
async def open_jobs(settings: Settings, calendar: Calendar, today: datetime) -> AsyncIterator[Jobs]:
    """Provide the jobs of the service, on the calendar of the one who asks for them."""
    is_alone = usable_cores() == 1 or sys.platform == "win32"
    performing = _in_this_process if is_alone else _in_another
    async with performing(settings, today) as perform:
        yield Jobs(calendar, perform)


@asynccontextmanager
async def _in_this_process(settings: Settings, today: datetime) -> AsyncIterator[Perform]:
    calendar, back_office = Calendar(today), BackOffice()
    platform = build_platform(settings, calendar, HASTY)
    jobs: dict[str, Callable[[], Awaitable[object]]] = {
        **{job.name: partial(job.run, platform) for job in JOBS},
        "deliver_webhooks": partial(deliver_due, platform, back_office.network),
    }

    application = build_app(platform)
    transport = PatientTransport(cast("Any", application.asgi))
    try:
        async with (
            application.litestar.lifespan(),
            httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http,
        ):
            shop = DemoClient(http, transport, calendar)

            async def perform(asked: Asked) -> None:
                calendar.turn_to(asked.position)
                back_office.is_down = asked.is_down
                await asyncio.gather(*(shop.deliver(*message) for message in asked.messages))
                for name in asked.names:
                    await jobs[name]()

            yield perform
    finally:
        await platform.database.close()


@asynccontextmanager
async def _in_another(settings: Settings, today: datetime) -> AsyncIterator[Perform]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(settings, today, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield partial(_ask, ours)
    finally:
        ours.close()  # with which the process ends
        await asyncio.to_thread(process.join)


async def _ask(channel: Connection, asked: Asked) -> None:
    """Have the other process run jobs, and wait until it has.

    Raises:
        EOFError: when it has failed, of which it has printed the reason.
    """
    channel.send(asked)
    answered, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_reader(channel.fileno(), answered.set)
    try:
        await answered.wait()
    finally:
        loop.remove_reader(channel.fileno())
    channel.recv()


def _work(settings: Settings, today: datetime, channel: Connection) -> None:
    # The process that asks is ended by these, and this one with its channel.
    for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(which, signal.SIG_IGN)
    configure_logs(logging.WARNING)
    exempt_heap()
    with suppress(BrokenPipeError):
        asyncio.run(_perform_what_is_asked(settings, today, channel))


async def _perform_what_is_asked(settings: Settings, today: datetime, channel: Connection) -> None:
    async with _in_this_process(settings, today) as perform:
        while True:
            try:
                asked: Asked = channel.recv()
            except (EOFError, ConnectionResetError):
                return
            await perform(asked)
            channel.send(None)

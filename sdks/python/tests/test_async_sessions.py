from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import DEADLINE, SeatServer, is_alive, seat_options
from licet_testkit import problem

from licet import (
    AsyncLicenseClient,
    AsyncSession,
    DeviceBlockedError,
    LicetError,
    NetworkError,
    SeatsExhaustedError,
    SessionLostError,
    TransportReply,
    TransportRequest,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE):
        while not true():  # noqa: ASYNC110 - what is awaited happens in another thread
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(seats: SeatServer, folder: Path, **callbacks: Any) -> AsyncIterator[AsyncSession]:
    options = seat_options(seats, folder)
    async with AsyncLicenseClient(**options) as client, client.session(**callbacks) as session:
        yield session


async def test_session_lifecycle(seats: SeatServer, tmp_path: Path) -> None:
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:
        session = client.session()
        assert not is_alive(session)
        async with session as entered:
            assert entered is session
            assert (session.alive, session.id) == (True, "session-1")
            await until(lambda: seats.count("heartbeat") >= 3)
        assert not is_alive(session)
        assert seats.sessions == {}
        await session.close()
        await session.open()
        await session.open()
        assert session.id == "session-2"
        await session.close()
    assert seats.sessions == {}
    assert (seats.count("connect"), seats.count("disconnect")) == (2, 2)


async def test_closing_before_the_first_heartbeat(seats: SeatServer, tmp_path: Path) -> None:
    async with opened(seats, tmp_path):
        pass
    assert seats.sessions == {}


async def test_entering_raises(seats: SeatServer, tmp_path: Path) -> None:
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:
        seats.seats_total = 0
        with pytest.raises(SeatsExhaustedError):
            await client.session().open()
        seats.disconnect()
        with pytest.raises(NetworkError):
            await client.session().open()


async def test_callbacks_may_be_coroutines_or_plain(seats: SeatServer, tmp_path: Path) -> None:
    lost: list[LicetError] = []
    regained: list[Any] = []

    async def on_regained(session: Any) -> None:
        await asyncio.sleep(0)
        regained.append(session)

    async with opened(seats, tmp_path, on_lost=lost.append, on_regained=on_regained) as session:
        seats.drop_sessions()
        await until(lambda: session.id == "session-2")
        assert (session.alive, lost) == (True, [])
        seats.refuse("connect", problem(403, "DeviceBlocked"))
        seats.drop_sessions()
        await until(lambda: lost)
        assert not is_alive(session)
        seats.reconnect()
        await until(lambda: regained)
        assert is_alive(session)
    assert isinstance(lost[0], DeviceBlockedError)
    assert (len(lost), regained, seats.sessions) == (1, [session], {})


async def test_a_long_outage(seats: SeatServer, tmp_path: Path) -> None:
    lost: list[LicetError] = []
    regained: list[Any] = []
    seats.timeout = 1.0
    async with opened(seats, tmp_path, on_lost=lost.append, on_regained=regained.append) as session:
        seats.disconnect()
        await until(lambda: lost)
        assert isinstance(lost[0], SessionLostError)
        seats.reconnect()
        await until(lambda: regained)
        assert is_alive(session)
    assert (len(lost), len(regained), seats.sessions) == (1, 1, {})


async def test_failing_callbacks_do_not_end_the_session(
    seats: SeatServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: object) -> None:
        raise ValueError("in the application")

    async with opened(seats, tmp_path, on_lost=fail, on_regained=fail) as session:
        seats.refuse("connect", problem(403, "DeviceBlocked"))
        seats.drop_sessions()
        await until(lambda: not session.alive)
        seats.reconnect()
        heartbeats = seats.count("heartbeat")
        await until(lambda: seats.count("heartbeat") >= heartbeats + 2)
    assert caplog.text.count("ValueError: in the application") == 2


async def test_a_callback_may_close_the_session(seats: SeatServer, tmp_path: Path) -> None:
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:
        closed = asyncio.Event()

        async def close(_: object) -> None:
            await session.close()
            closed.set()

        session = client.session(on_regained=close)
        await session.open()
        seats.refuse("connect", problem(403, "DeviceBlocked"))
        seats.drop_sessions()
        await until(lambda: not session.alive)
        seats.reconnect()
        async with asyncio.timeout(DEADLINE):
            await closed.wait()
        await until(lambda: seats.sessions == {})
        assert not is_alive(session)


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in a heartbeat"])
async def test_closing_does_not_wait_for_a_hanging_server(
    seats: SeatServer, tmp_path: Path, busy: bool
) -> None:
    if not busy:
        seats.interval = 20.0
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:
        async with client.session():
            seats.hang()
            if busy:
                heartbeats = seats.count("heartbeat")
                await until(lambda: seats.count("heartbeat") > heartbeats)
            begun = time.monotonic()
        assert time.monotonic() - begun < 6


async def test_cancellation_releases_the_seat(seats: SeatServer, tmp_path: Path) -> None:
    async with AsyncLicenseClient(**seat_options(seats, tmp_path)) as client:

        async def work() -> None:
            async with client.session():
                await asyncio.sleep(60)

        task = asyncio.create_task(work())
        await until(lambda: seats.count("heartbeat"))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seats.sessions == {}


def test_the_session_ends_with_its_event_loop(seats: SeatServer, tmp_path: Path) -> None:
    async def work() -> Any:
        client = AsyncLicenseClient(**seat_options(seats, tmp_path))
        session = await client.session().open()
        await until(lambda: seats.count("heartbeat"))
        return session

    session = asyncio.run(work())
    assert seats.sessions == {}
    assert not is_alive(session)


async def test_closing_the_client_closes_its_sessions(seats: SeatServer, tmp_path: Path) -> None:
    client = AsyncLicenseClient(**seat_options(seats, tmp_path))
    sessions = [await client.session().open() for _ in range(3)]
    assert len(set(seats.sessions.values())) == 3
    await client.aclose()
    assert not any(session.alive for session in sessions)
    assert seats.sessions == {}


async def test_the_event_loop_is_not_blocked(seats: SeatServer, tmp_path: Path) -> None:
    seats.interval = 0.05
    async with opened(seats, tmp_path):
        seats.hang()
        heartbeats = seats.count("heartbeat")
        await until(lambda: seats.count("heartbeat") > heartbeats)
        begun = time.monotonic()
        for _ in range(50):
            await asyncio.sleep(0)
        assert time.monotonic() - begun < 2


class Async:
    """An async transport of the application's own, in memory."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, request: TransportRequest) -> TransportReply:
        self.sent.append(request.url.rsplit("/", 1)[1])
        await asyncio.sleep(0)
        body = b'{"sessionId": "s", "heartbeatIntervalSeconds": 0.1, "sessionTimeoutSeconds": 9}'
        return TransportReply(200, {}, body)

    async def aclose(self) -> None:
        raise AssertionError("the application closes it")


async def test_custom_session_transport(seats: SeatServer, tmp_path: Path) -> None:
    from licet._exit_hooks import OPEN_SESSIONS

    transport = Async()
    options = seat_options(seats, tmp_path)
    async with AsyncLicenseClient(transport=transport, **options) as client:
        async with client.session():
            await until(lambda: transport.sent.count("heartbeat") >= 2)
        assert transport.sent[-1] == "disconnect"
        session = await client.session().open()
        await asyncio.to_thread(OPEN_SESSIONS.release_open, 5.0)
        assert transport.sent[-1] == "disconnect"
        assert not is_alive(session)
        await session.close()
    assert transport.sent.count("disconnect") == 2


async def test_no_tasks_are_left_after_closing(
    seats: SeatServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="asyncio")
    seats.interval = 20.0
    async with opened(seats, tmp_path), opened(seats, tmp_path):
        pass
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "licet-session"]
    assert "never" not in caplog.text

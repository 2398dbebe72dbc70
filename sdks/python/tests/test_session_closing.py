"""Closing sessions, and callbacks that misbehave."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from licet_seat_server import SeatServer, seat_options, wait_for
from licet_testkit import problem

from licet import LicenseClient

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def client(seats: SeatServer, tmp_path: Path) -> Iterator[LicenseClient]:
    with LicenseClient(**seat_options(seats, tmp_path)) as made:
        yield made


def test_failing_callbacks_do_not_end_the_session(
    client: LicenseClient, seats: SeatServer, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise SystemExit(3)

    with client.session(on_lost=fail, on_regained=lambda _: 1 / 0) as session:
        seats.refuse("connect", problem(403, "DeviceBlocked"))
        seats.drop_sessions()
        wait_for(lambda: not session.alive)
        seats.reconnect()
        wait_for(lambda: session.alive)
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") >= heartbeats + 2)
    assert "a session callback raised an exception" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_callback_may_close_the_session(
    client: LicenseClient, seats: SeatServer, caplog: pytest.LogCaptureFixture
) -> None:
    session = client.session(on_lost=lambda _: session.close())
    session.open()
    seats.refuse("connect", problem(403, "DeviceBlocked"))
    seats.drop_sessions()
    wait_for(lambda: not session.alive)
    wait_for(lambda: not any(one.name == "licet-session" for one in threading.enumerate()))
    assert seats.count("connect") == 2, "the first one, and the one that was refused"
    assert "callback" not in caplog.text


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in a heartbeat"])
def test_closing_does_not_wait_for_a_hanging_server(
    client: LicenseClient, seats: SeatServer, busy: bool
) -> None:
    if not busy:
        seats.interval = 20.0
    with client.session():
        seats.hang()
        if busy:
            heartbeats = seats.count("heartbeat")
            wait_for(lambda: seats.count("heartbeat") > heartbeats)
        begun = time.monotonic()
    assert time.monotonic() - begun < 6
    seats.let_go()
    wait_for(lambda: not any(one.name == "licet-session" for one in threading.enumerate()))


def test_a_refused_disconnect_is_logged(
    client: LicenseClient, seats: SeatServer, caplog: pytest.LogCaptureFixture
) -> None:
    seats.interval = 20.0
    for fault in (seats.drop_sessions, seats.disconnect):
        seats.reconnect()
        with client.session():
            fault()
    assert caplog.text.count("the session was not disconnected") == 2


def test_an_error_in_the_block_is_raised(client: LicenseClient, seats: SeatServer) -> None:
    def work() -> None:
        with client.session():
            seats.disconnect()
            raise ValueError("in the application")

    with pytest.raises(ValueError, match="in the application"):
        work()


def test_closing_the_client_closes_its_sessions(seats: SeatServer, tmp_path: Path) -> None:
    client = LicenseClient(**seat_options(seats, tmp_path))
    sessions = [client.session().open() for _ in range(3)]
    assert len(set(seats.sessions.values())) == 3
    client.close()
    assert not any(session.alive for session in sessions)
    assert seats.sessions == {}

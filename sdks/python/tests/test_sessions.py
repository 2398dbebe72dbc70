from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import (
    CallbackRecorder,
    SeatServer,
    is_alive,
    response,
    seat_options,
    wait_for,
)
from licet_testkit import API_KEY, HARDWARE, LICENSE_KEY, normal, problem

from licet import (
    LicenseClient,
    NetworkError,
    SeatsExhaustedError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def client(seats: SeatServer, tmp_path: Path) -> Iterator[LicenseClient]:
    with LicenseClient(**seat_options(seats, tmp_path)) as made:
        yield made


def test_session_lifecycle(client: LicenseClient, seats: SeatServer) -> None:
    seats.seats_total = 3
    session = client.session()
    assert (session.alive, session.id, session.expires_at) == (False, "", None)
    assert seats.requests == []
    with session as entered:
        assert entered is session
        assert (session.alive, session.id) == (True, "session-1")
        assert (session.seats_used, session.seats_total) == (1, 3)
        assert session.expires_at == datetime(2026, 6, 1, 12, 1, 30, tzinfo=UTC)
        wait_for(lambda: seats.count("heartbeat") >= 3)
        assert session.expires_at == datetime(2026, 6, 1, 12, 2, tzinfo=UTC)
    assert not is_alive(session)
    assert seats.sessions == {}
    wait_for(lambda: not any(one.name == "licet-session" for one in threading.enumerate()))


def test_open_and_close(client: LicenseClient, seats: SeatServer) -> None:
    session = client.session()
    session.close()
    assert session.open() is session
    assert session.open() is session
    assert seats.count("connect") == 1
    session.close()
    session.close()
    assert seats.count("disconnect") == 1
    with session:
        assert (session.alive, session.id) == (True, "session-2")
    assert seats.sessions == {}


def test_entering_raises(client: LicenseClient, seats: SeatServer) -> None:
    seats.seats_total = 0
    with pytest.raises(SeatsExhaustedError, match=r"in use \(0 of 0\)"):
        client.session().open()
    seats.disconnect()
    with pytest.raises(NetworkError):
        client.session().open()
    assert seats.count("connect") == 4, "only network errors are retried"
    seats.reconnect()
    seats.seats_total = 1
    with client.session() as session:
        assert is_alive(session)


@pytest.mark.parametrize("content", [{}, {"sessionId": 7}])
def test_unexpected_responses(client: LicenseClient, seats: SeatServer, content: Any) -> None:
    seats.refuse("connect", response(201, content))
    with pytest.raises(UnexpectedReplyError, match="has no session ID"):
        client.session().open()


def test_missing_numbers_have_defaults(client: LicenseClient, seats: SeatServer) -> None:
    content = {"sessionId": "s", "heartbeatIntervalSeconds": -1, "sessionTimeoutSeconds": True}
    seats.refuse("connect", response(201, content))
    with client.session() as session:
        assert session._grant is not None
        assert (session._grant.interval, session._grant.timeout) == (30.0, 90.0)
        assert (session.seats_used, session.expires_at) == (None, None)


@pytest.mark.parametrize(
    ("interval", "timeout", "taken"), [(30, 90, 30.0), (90, 90, 45.0), (0.001, 90, 0.05)]
)
def test_an_invalid_interval(
    client: LicenseClient, seats: SeatServer, interval: float, timeout: float, taken: float
) -> None:
    seats.interval, seats.timeout = interval, timeout
    with client.session() as session:
        assert session._grant is not None
        assert session._grant.interval == taken


def test_a_response_about_another_session_is_rejected(
    client: LicenseClient, seats: SeatServer
) -> None:
    watcher = CallbackRecorder()
    seats.timeout = 1.0
    with watcher.session(client) as session:
        seats.refuse("heartbeat", response(200, {"sessionId": "session-of-another"}))
        wait_for(lambda: watcher.lost)
        assert isinstance(watcher.lost[0].__cause__, UnexpectedReplyError)
        wait_for(lambda: session.alive)


def test_the_server_can_change_the_interval(client: LicenseClient, seats: SeatServer) -> None:
    with client.session():
        wait_for(lambda: seats.count("heartbeat") >= 1)
        before, seats.interval = seats.interval, 20.0
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") > heartbeats)
        told = seats.count("heartbeat")
        time.sleep(10 * before)
        assert seats.count("heartbeat") <= told + 1, "one may have been on its way"


class Failing:
    """An application's own transport that raises its own exception."""

    def __init__(self, seats: SeatServer) -> None:
        from licet._connections import Network

        self.real = Network(None, trust_env=False).connect()
        self.broken = self.closed = False

    def send(self, request: TransportRequest) -> TransportReply:
        if self.broken:
            raise KeyError(request.url)
        return self.real.send(request)

    def close(self) -> None:
        self.closed = True


def test_custom_session_transport(seats: SeatServer, tmp_path: Path) -> None:
    watcher, transport = CallbackRecorder(), Failing(seats)
    seats.timeout = 1.0
    options = seat_options(seats, tmp_path)
    with LicenseClient(transport=transport, **options) as client, watcher.session(client):
        transport.broken = True
        wait_for(lambda: watcher.lost)
        assert isinstance(watcher.lost[0].__cause__, NetworkError)
        transport.broken = False
        wait_for(lambda: watcher.regained)
    assert seats.sessions == {}
    assert not transport.closed
    transport.real.close()


def test_secrets_are_not_logged(
    client: LicenseClient, seats: SeatServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="licet")
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        seats.refuse("connect", problem(403, "HardwareMismatch"))
        seats.drop_sessions()
        wait_for(lambda: watcher.lost)
        said = [repr(session), repr(watcher.lost), repr(session._state), caplog.text]
    assert "session lost: Said the server." in caplog.text
    for secret in (LICENSE_KEY, normal(LICENSE_KEY), HARDWARE, API_KEY):
        assert secret not in " ".join(said)

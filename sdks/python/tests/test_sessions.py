from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import (
    CallbackRecorder,
    RecordedRequest,
    SeatServer,
    is_alive,
    response,
    seat_options,
    wait_for,
)
from licet_testkit import API_KEY, HARDWARE, LICENSE_KEY, normal, problem

from licet import (
    LicenseClient,
    LicenseRefusedError,
    LicetError,
    NetworkError,
    SeatsExhaustedError,
    SessionLostError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def seats() -> Iterator[SeatServer]:
    with SeatServer() as running:
        yield running


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


def test_what_is_sent(seats: SeatServer, tmp_path: Path) -> None:
    options = seat_options(seats, tmp_path, device_name="desk", app_version="2.1.0")
    with LicenseClient(**options) as client, client.session(instance_id="window-7"):
        wait_for(lambda: seats.count("heartbeat"))
    connect, heartbeat, disconnect = (
        seats.all(what)[0] for what in ("connect", "heartbeat", "disconnect")
    )
    assert connect.body == {
        "licenseKey": normal(LICENSE_KEY),
        "hardwareId": HARDWARE,
        "instanceId": "window-7",
        "deviceName": "desk",
        "appVersion": "2.1.0",
    }
    assert heartbeat.body == disconnect.body == {"sessionId": "session-1"}
    assert heartbeat.headers["x-api-key"] == API_KEY


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
        assert session._lease is not None
        assert (session._lease.interval, session._lease.timeout) == (30.0, 90.0)
        assert (session.seats_used, session.expires_at) == (None, None)


@pytest.mark.parametrize(
    ("interval", "timeout", "taken"), [(30, 90, 30.0), (90, 90, 45.0), (0.001, 90, 0.05)]
)
def test_an_invalid_interval(
    client: LicenseClient, seats: SeatServer, interval: float, timeout: float, taken: float
) -> None:
    seats.interval, seats.timeout = interval, timeout
    with client.session() as session:
        assert session._lease is not None
        assert session._lease.interval == taken


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


@pytest.mark.specification("runtime.session-not-found")
def test_a_session_ended_by_the_server_is_replaced_silently(
    client: LicenseClient, seats: SeatServer
) -> None:
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        seats.drop_sessions()
        wait_for(lambda: session.id == "session-2")
        wait_for(lambda: seats.count("heartbeat") >= 3)
        assert is_alive(session)
    instances = {request.body["instanceId"] for request in seats.all("connect")}
    assert len(instances) == 1
    assert (watcher.lost, watcher.regained, seats.sessions) == ([], [], {})


def test_a_lost_seat_is_regained_when_one_is_released(
    client: LicenseClient, seats: SeatServer
) -> None:
    watcher = CallbackRecorder()
    seats.seats_total = 1
    with watcher.session(client) as session:
        with seats._lock:
            seats.sessions.clear()
            seats.sessions["session-x"] = "another-instance"
        wait_for(lambda: watcher.lost)
        assert not is_alive(session)
        assert isinstance(watcher.lost[0], SeatsExhaustedError)
        refused = seats.count("connect")
        wait_for(lambda: seats.count("connect") >= refused + 2)
        seats.drop_sessions()
        wait_for(lambda: watcher.regained)
        assert is_alive(session)
        assert watcher.regained == [session]
        wait_for(lambda: seats.count("heartbeat") >= 3)
    assert len(watcher.lost) == 1
    assert seats.sessions == {}


def test_a_suspended_license_and_its_reinstatement(
    client: LicenseClient, seats: SeatServer
) -> None:
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        seats.refuse("connect", problem(400, "LicenseInvalid"))
        seats.drop_sessions()
        wait_for(lambda: watcher.lost)
        assert isinstance(watcher.lost[0], LicenseRefusedError)
        assert watcher.lost[0].error_code == "LicenseInvalid"
        tries = seats.count("connect")
        wait_for(lambda: seats.count("connect") >= tries + 3)
        seats.reconnect()
        wait_for(lambda: session.alive)
    spaces = gaps(seats, "connect")[1:4]
    assert all(space >= 0.9 * seats.interval for space in spaces)
    assert (len(watcher.lost), len(watcher.regained)) == (1, 1)


def gaps(seats: SeatServer, what: str) -> list[float]:
    moments = [request.at for request in seats.all(what)]
    return [later - earlier for earlier, later in pairwise(moments)]


def test_a_refused_heartbeat_is_a_loss(client: LicenseClient, seats: SeatServer) -> None:
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        seats.refuse("heartbeat", problem(400, "LicenseExpired"))
        seats.fault = also_refusing(seats.fault, "connect")
        wait_for(lambda: watcher.lost)
        assert not is_alive(session)
    assert isinstance(watcher.lost[0], LicenseRefusedError)
    assert seats.sessions == {}, "the server still had the session and was told of its end"


def also_refusing(
    fault: Callable[[RecordedRequest], Any], what: str
) -> Callable[[RecordedRequest], Any]:
    refusal = problem(400, "LicenseExpired")
    return lambda request: refusal if request.route == what else fault(request)


def test_a_short_outage_calls_no_callback(client: LicenseClient, seats: SeatServer) -> None:
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        seats.disconnect()
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") >= heartbeats + 5)
        assert is_alive(session)
        seats.reconnect()
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") >= heartbeats + 3)
        assert (session.alive, session.id) == (True, "session-1")
    assert (watcher.lost, watcher.regained) == ([], [])


@pytest.mark.parametrize("outage", ["unplugged", "broken", "captive"])
def test_a_long_outage_calls_on_lost(client: LicenseClient, seats: SeatServer, outage: str) -> None:
    watcher = CallbackRecorder()
    seats.timeout = 1.0
    with watcher.session(client) as session:
        if outage == "unplugged":
            seats.disconnect()
        else:
            page = (200, {"Content-Type": "text/html"}, b"<html>Welcome to the hotel")
            seats.fault = lambda _: page if outage == "captive" else problem(503, "Unavailable")
        begun = time.monotonic()
        wait_for(lambda: watcher.lost)
        assert time.monotonic() - begun > 0.7
        assert not is_alive(session)
        assert isinstance(watcher.lost[0], SessionLostError)
        assert isinstance(watcher.lost[0].__cause__, LicetError)
        seats.drop_sessions()
        tries = seats.count("connect")
        wait_for(lambda: seats.count("connect") >= tries + 2)
        seats.reconnect()
        wait_for(lambda: watcher.regained)
        assert is_alive(session)
        assert session.id != "session-1"
    assert (len(watcher.lost), watcher.regained) == (1, [session])


def test_rate_limiting_is_waited_out(client: LicenseClient, seats: SeatServer) -> None:
    watcher = CallbackRecorder()
    with watcher.session(client) as session:
        limit = problem(429, "RateLimited", **{"Retry-After": "1"})
        seats.refuse("heartbeat", limit)
        heartbeats = seats.count("heartbeat")
        wait_for(lambda: seats.count("heartbeat") >= heartbeats + 3)
        assert (session.alive, session.id) == (True, "session-1")
    assert min(gaps(seats, "heartbeat")[-2:]) >= 1.0
    assert (watcher.lost, seats.count("connect")) == ([], 1)


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
    assert "session lost: The license is bound to another device" in caplog.text
    for secret in (LICENSE_KEY, normal(LICENSE_KEY), HARDWARE, API_KEY):
        assert secret not in " ".join(said)

"""The heartbeat state machine, without threads and with simulated time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from licet import (
    ActivationRequiredError,
    ApiKeyRefusedError,
    ApprovalPendingError,
    ConnectionLostError,
    DeviceBlockedError,
    DnsError,
    HardwareMismatchError,
    LicenseRefusedError,
    LicetError,
    NetworkError,
    RateLimitedError,
    RequestRefusedError,
    SeatsExhaustedError,
    ServerUnavailableError,
    SessionLostError,
    TransportRequest,
    UnexpectedReplyError,
)
from licet._flow import Flow, Pause, last_sent
from licet._heartbeat import Call, Heartbeat, Lost, Regained
from licet._session_calls import SessionGrant

GRANT = SessionGrant("session-1", interval=30.0, timeout=90.0)
JITTERS = [0.0, 0.25, 0.5, 1.0]


def refused(kind: type[Any] = RequestRefusedError, status: int = 403, **facts: Any) -> LicetError:
    error: LicetError = kind("Refused.", http_status=status, **facts)
    return error


GONE = refused(SessionLostError, 404, error_code="SessionNotFound")
FULL = refused(SeatsExhaustedError, 409)
NO_NETWORK = NetworkError("The cable is out.")


class Simulation:
    """A heartbeat state with a simulated clock; calls take no time by default."""

    def __init__(self, grant: SessionGrant = GRANT, jitter: float = 0.5) -> None:
        self.now, self.jitter = 1000.0, jitter
        self.heartbeat = Heartbeat(grant, sent=self.now, jitter=jitter)
        self.lost: list[LicetError] = []
        self.regained = 0

    @property
    def delay(self) -> float:
        return self.heartbeat.due - self.now

    def step(self, outcome: SessionGrant | LicetError, duration: float = 0.0) -> None:
        """Wait until the next call is due, make it and record its outcome."""
        self.now = max(self.now, self.heartbeat.due)
        self._record(self.heartbeat.check_expiry(self.now))
        self.now = max(self.now, self.heartbeat.due)
        sent, self.now = self.now, self.now + duration
        self._record(self.heartbeat.record(outcome, sent=sent, now=self.now, jitter=self.jitter))

    def fail_until_lost(self, fault: LicetError = NO_NETWORK) -> list[float]:
        """Fail every call until the seat is lost; returns the times of the attempts."""
        attempts = []
        while not self.lost:
            self.step(fault)
            attempts.append(self.now - 1000.0)
        return attempts

    def _record(self, event: Any) -> None:
        if isinstance(event, Lost):
            self.lost.append(event.error)
        if isinstance(event, Regained):
            self.regained += 1


@pytest.mark.parametrize("jitter", JITTERS)
def test_heartbeats_are_due_within_the_interval(jitter: float) -> None:
    simulation = Simulation(jitter=jitter)
    for _ in range(10):
        assert 24.0 <= simulation.delay <= 30.0
        simulation.step(GRANT)
    assert (simulation.heartbeat.call, simulation.heartbeat.alive) == (Call.HEARTBEAT, True)


def test_jitter_spreads_heartbeats() -> None:
    assert len({Simulation(jitter=jitter).delay for jitter in JITTERS}) == len(JITTERS)


def test_a_response_can_change_the_interval() -> None:
    simulation = Simulation(jitter=1.0)
    simulation.step(replace(GRANT, interval=5.0))
    assert simulation.delay == 5.0


@pytest.mark.parametrize("fault", [NO_NETWORK, refused(ServerUnavailableError, 503)])
@pytest.mark.parametrize("jitter", JITTERS)
def test_an_error_is_retried_faster_than_the_interval(fault: LicetError, jitter: float) -> None:
    simulation = Simulation(jitter=jitter)
    delays = []
    for _ in range(5):
        simulation.step(fault)
        delays.append(simulation.delay)
    assert all(0.5 <= delay <= 15.0 for delay in delays)
    assert delays[0] <= 1.0
    assert delays == sorted(delays)
    assert (simulation.heartbeat.alive, simulation.lost) == (True, [])


def test_a_short_outage_is_not_reported() -> None:
    simulation = Simulation()
    for _ in range(4):
        simulation.step(NO_NETWORK)
    simulation.step(GRANT)
    assert (simulation.lost, simulation.regained, simulation.heartbeat.alive) == ([], 0, True)
    assert 24.0 <= simulation.delay <= 30.0


@pytest.mark.parametrize("jitter", JITTERS)
def test_a_long_outage_is_reported_once_when_the_grant_expires(jitter: float) -> None:
    simulation = Simulation(jitter=jitter)
    attempts = simulation.fail_until_lost()
    # The last attempt is made before the grant expires, and the loss is reported after.
    assert [at for at in attempts if 80.0 <= at < 90.0]
    assert simulation.now - 1000.0 == 90.0
    assert isinstance(simulation.lost[0], SessionLostError)
    assert not simulation.heartbeat.needs_disconnect
    assert simulation.lost[0].__cause__ is NO_NETWORK
    assert "The cable is out." in simulation.lost[0].hint
    for _ in range(30):
        simulation.step(NO_NETWORK)
        assert 0.1 <= simulation.delay <= 30.0
    assert (len(simulation.lost), simulation.heartbeat.alive, simulation.heartbeat.call) == (
        1,
        False,
        Call.CONNECT,
    )
    simulation.step(GRANT)
    assert (simulation.regained, simulation.heartbeat.alive, simulation.heartbeat.call) == (
        1,
        True,
        Call.HEARTBEAT,
    )


def test_the_grant_starts_at_the_last_successful_call() -> None:
    simulation = Simulation()
    for _ in range(10):
        simulation.step(GRANT)
    good = simulation.now
    simulation.fail_until_lost()
    assert simulation.now == good + 90.0


def test_the_grant_starts_when_the_request_is_sent() -> None:
    simulation = Simulation(jitter=1.0)
    simulation.step(GRANT, duration=8.0)
    assert simulation.delay == 22.0
    sent = simulation.now - 8.0
    simulation.fail_until_lost()
    assert simulation.now == sent + 90.0


def test_reconnect_attempts_back_off_after_a_loss() -> None:
    simulation = Simulation(jitter=1.0)
    simulation.fail_until_lost()
    delays = []
    for _ in range(10):
        simulation.step(NO_NETWORK)
        delays.append(simulation.delay)
    assert (delays[0], delays[-1]) == (2.0, 30.0)


@pytest.mark.specification("runtime.session-not-found")
def test_a_session_ended_by_the_server_reconnects_at_once() -> None:
    simulation = Simulation()
    simulation.step(GONE)
    assert (simulation.heartbeat.call, simulation.delay, simulation.heartbeat.alive) == (
        Call.CONNECT,
        0.0,
        True,
    )
    assert not simulation.heartbeat.needs_disconnect
    simulation.step(replace(GRANT, session_id="session-2"))
    assert (simulation.heartbeat.call, simulation.heartbeat.grant.session_id) == (
        Call.HEARTBEAT,
        "session-2",
    )
    assert (simulation.lost, simulation.regained) == ([], 0)


def test_reconnecting_survives_a_short_outage() -> None:
    simulation = Simulation()
    for outcome in (GONE, NO_NETWORK, NO_NETWORK, GRANT):
        simulation.step(outcome)
    assert (simulation.lost, simulation.regained) == ([], 0)


REFUSALS = [
    FULL,
    refused(LicenseRefusedError, 400, error_code="LicenseInvalid"),
    refused(LicenseRefusedError, 400, error_code="LicenseExpired"),
    refused(DeviceBlockedError),
    refused(HardwareMismatchError),
    refused(ApprovalPendingError),
    refused(ActivationRequiredError),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("jitter", JITTERS)
def test_a_refused_reconnect_is_reported_once(refusal: LicetError, jitter: float) -> None:
    simulation = Simulation(jitter=jitter)
    simulation.step(GONE)
    for _ in range(5):
        simulation.step(refusal)
        assert 30.0 <= simulation.delay <= 36.0
    assert (simulation.lost, simulation.heartbeat.alive) == ([refusal], False)
    simulation.step(GRANT)
    assert (simulation.regained, simulation.heartbeat.alive) == (1, True)


def test_a_refused_heartbeat_is_a_loss_that_needs_a_disconnect() -> None:
    simulation = Simulation()
    blocked = refused(DeviceBlockedError)
    simulation.step(blocked)
    assert (simulation.lost, simulation.heartbeat.alive, simulation.heartbeat.call) == (
        [blocked],
        False,
        Call.CONNECT,
    )
    assert simulation.heartbeat.needs_disconnect, "the server may still hold the seat"


def test_each_loss_is_reported() -> None:
    simulation = Simulation()
    for outcome in (GONE, FULL, GRANT, GONE, FULL, FULL, GRANT):
        simulation.step(outcome)
    assert (simulation.lost, simulation.regained) == ([FULL, FULL], 2)


def limited(seconds: float | None) -> LicetError:
    return refused(RateLimitedError, 429, retry_after=seconds)


def test_rate_limiting_keeps_the_session() -> None:
    simulation = Simulation(jitter=1.0)
    simulation.step(limited(7.0))
    assert simulation.delay == 7.0
    simulation.step(limited(None))
    assert simulation.delay == 30.0
    simulation.step(limited(0.0))
    assert simulation.delay == 1.0
    simulation.step(GRANT)
    assert (simulation.lost, simulation.delay) == ([], 30.0)


def test_rate_limiting_does_not_delay_the_last_attempt() -> None:
    simulation = Simulation(jitter=1.0)
    simulation.step(limited(300.0))
    assert simulation.heartbeat.due == 1081.0
    simulation.step(GRANT)
    assert simulation.lost == []


def test_retry_after_is_honored_even_if_the_grant_expires() -> None:
    simulation = Simulation()
    simulation.step(limited(300.0))
    simulation.step(limited(300.0))
    assert (simulation.now, simulation.heartbeat.due) == (1081.0, 1090.0)
    simulation.step(GRANT)
    assert (simulation.now, len(simulation.lost), simulation.regained) == (1381.0, 1, 1)


def test_retry_after_is_honored_after_a_loss() -> None:
    simulation = Simulation()
    simulation.fail_until_lost()
    simulation.step(limited(200.0))
    assert simulation.delay == 200.0
    simulation.step(limited(1e9))
    assert simulation.delay == 3600.0


def test_retry_after_of_a_busy_server_is_honored() -> None:
    simulation = Simulation(jitter=0.0)
    simulation.step(refused(ServerUnavailableError, 503, retry_after=12.0))
    assert simulation.delay == 12.0


@pytest.mark.parametrize(
    "fault", [refused(ApiKeyRefusedError, 401), refused(status=400, error_code="InvalidRequest")]
)
def test_other_refusals_do_not_end_the_session(fault: LicetError) -> None:
    simulation = Simulation(jitter=0.0)
    simulation.step(fault)
    assert (simulation.delay, simulation.heartbeat.alive) == (30.0, True)
    simulation.fail_until_lost(fault)
    assert isinstance(simulation.lost[0], SessionLostError)
    assert simulation.now == 1090.0


@pytest.mark.parametrize(
    "fault", [refused(UnexpectedReplyError, 404), DnsError("No."), ConnectionLostError("No.")]
)
def test_unexpected_responses_are_transient_errors(fault: LicetError) -> None:
    simulation = Simulation(jitter=1.0)
    simulation.step(fault)
    assert simulation.delay == 1.0


def test_after_sleep_a_call_is_made_before_the_grant_expires() -> None:
    simulation = Simulation()
    simulation.now += 8 * 3600
    simulation.step(GONE)
    assert simulation.lost == []
    simulation.step(GRANT)
    assert (simulation.lost, simulation.heartbeat.alive) == ([], True)


def test_after_sleep_without_a_network_the_seat_is_lost() -> None:
    simulation = Simulation()
    simulation.now += 8 * 3600
    simulation.step(NO_NETWORK)
    assert len(simulation.lost) == 1


def test_the_grant_can_expire_during_a_slow_attempt() -> None:
    simulation = Simulation()
    simulation.step(NO_NETWORK, duration=100.0)
    assert len(simulation.lost) == 1


def test_call_timeouts() -> None:
    simulation = Simulation()
    heartbeat = simulation.heartbeat
    assert heartbeat.call_timeout(1030.0, 10.0) == 10.0
    assert heartbeat.call_timeout(1030.0, 60.0) == 30.0
    assert heartbeat.call_timeout(1085.0, 10.0) == 5.0
    assert heartbeat.call_timeout(1089.9, 10.0) == 1.0
    assert heartbeat.call_timeout(1200.0, 10.0) == 1.0
    simulation.fail_until_lost()
    assert heartbeat.call_timeout(1200.0, 10.0) == 10.0


def test_short_intervals() -> None:
    simulation = Simulation(SessionGrant("s", interval=1.0, timeout=3.0), jitter=1.0)
    attempts = simulation.fail_until_lost()
    assert len(attempts) >= 4
    assert simulation.now == 1003.0


def test_the_last_request_of_a_flow_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([10.0, 11.0, 50.0])
    monkeypatch.setattr("licet._flow.monotonic", lambda: next(moments))
    request = TransportRequest("POST", "https://x.example", {}, b"", 1.0)

    def twice() -> Flow[str]:
        try:
            yield request
        except NetworkError:
            yield Pause(1.0)
        yield request
        return "done"

    flow = last_sent(twice())
    assert next(flow) is request
    assert flow.throw(NO_NETWORK) == Pause(1.0)
    assert flow.send(None) is request
    with pytest.raises(StopIteration) as end:
        flow.send(None)
    assert end.value.value == ("done", 50.0)


def test_a_copy_whose_seat_was_taken_hears_it_if_it_cannot_connect() -> None:
    taken = SessionLostError("Taken.", http_status=404, error_code="SessionNotFound")
    taken.end_reason = "Replaced"
    simulation = Simulation()
    simulation.step(taken)
    assert simulation.heartbeat.taken is taken
    assert simulation.lost == []
    simulation.step(NO_NETWORK)
    assert simulation.lost == [taken], "it has no seat, whatever the time"
    simulation.step(GRANT)
    assert simulation.heartbeat.taken is None
    assert simulation.regained == 1


def test_a_machine_that_slept_does_not_hold_the_seat_until_the_server_says_so() -> None:
    simulation = Simulation()
    assert simulation.heartbeat.holds(simulation.now)
    simulation.now += 2 * GRANT.timeout
    assert not simulation.heartbeat.holds(simulation.now)
    simulation.step(GRANT)
    assert simulation.heartbeat.holds(simulation.now)
    assert (simulation.lost, simulation.regained) == ([], 0)

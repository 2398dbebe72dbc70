"""Retries of charges, with simulated time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Context, Decimal, InvalidOperation, localcontext
from pathlib import Path
from typing import Any

import pytest

from licet import (
    CaptivePortalError,
    ConcurrencyConflictError,
    ConnectionLostError,
    Consumption,
    DnsError,
    InsufficientBalanceError,
    LicetError,
    NetworkError,
    ProxyError,
    RateLimitedError,
    RequestRefusedError,
    ServerTimeoutError,
    ServerUnavailableError,
    TlsError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
    WalletNotFoundError,
)
from licet._flow import Done, Flow, Pause, step
from licet._metering import CHARGE_RETRIES, consume, make_charge
from licet._retries import DEFAULT_RETRIES
from licet.testing import FakeLicense, FakeServer

CONSUMED = {
    "success": True,
    "licenseId": "l-1",
    "featureName": "export",
    "quantity": 1,
    "cost": 1,
    "balance": 9,
    "ledgerEntryId": "e-1",
    "replayed": False,
}


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("MeteredCount", initial_meter_balance=10)


def reply(status: int, content: Any, **headers: str) -> TransportReply:
    kind = {"content-type": "application/json"}
    return TransportReply(status, {**kind, **headers}, json.dumps(content).encode())


def problem(status: int, code: str, **headers: str) -> TransportReply:
    return reply(status, {"status": status, "errorCode": code}, **headers)


@dataclass
class ScriptedNetwork:
    """Runs a flow with prepared outcomes and simulated time.

    Attributes:
        outcomes: The outcome of each request; the last one is repeated.
        takes: The duration of a request in seconds.
    """

    outcomes: list[TransportReply | LicetError]
    takes: float = 0.0
    now: float = 1000.0
    sent: list[TransportRequest] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def run(self, flow: Flow[Any]) -> Any:
        outcome: Any = None
        while True:
            effect = step(flow, outcome)
            if isinstance(effect, Done):
                return effect.value
            outcome = None
            if isinstance(effect, Pause):
                self.pauses.append(effect.seconds)
                self.now += effect.seconds
                continue
            self.sent.append(effect)
            self.now += min(self.takes, effect.timeout)
            outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]

    @property
    def keys(self) -> list[str]:
        return [json.loads(request.body)["idempotencyKey"] for request in self.sent]


@pytest.fixture
def charge(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Consumption]:
    """Make a charge over a scripted network, with the maximum jitter."""
    client = server.client(license_, folder=tmp_path, retries=True)

    def run(network: ScriptedNetwork, key: str | None = None) -> Consumption:
        monkeypatch.setattr("licet._api.monotonic", lambda: network.now)
        monkeypatch.setattr("licet._api.jitter", lambda: 1.0)
        consumption: Consumption = network.run(
            consume(client._core, make_charge("export", 1, key, None))
        )
        return consumption

    return run


@pytest.mark.parametrize(
    "fault",
    [
        ConnectionLostError("x"),
        ServerTimeoutError("x"),
        DnsError("x"),
        NetworkError("a custom transport"),
        problem(409, "ConcurrencyConflict"),
        problem(429, "RateLimited"),
        problem(500, "InternalError"),
        problem(503, "Unavailable"),
        TransportReply(502, {"content-type": "text/html"}, b"<html>"),
        TransportReply(504, {}, b""),
    ],
    ids=str,
)
def test_errors_that_are_retried(charge: Callable[..., Consumption], fault: Any) -> None:
    network = ScriptedNetwork([fault, fault, reply(200, CONSUMED)])
    assert charge(network, "k-1").balance == 9
    assert network.keys == ["k-1"] * 3
    assert network.pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (TlsError("x"), TlsError),
        (ProxyError("x"), ProxyError),
        (TransportReply(200, {"content-type": "text/html"}, b"<html>"), CaptivePortalError),
        (problem(400, "InvalidRequest"), RequestRefusedError),
        (problem(400, "WalletNotFound"), WalletNotFoundError),
        (problem(401, "Unauthorized"), LicetError),
        (problem(402, "InsufficientBalance"), InsufficientBalanceError),
        (problem(403, "FeatureNotEntitled"), RequestRefusedError),
        (problem(404, "LicenseNotFound"), RequestRefusedError),
        (problem(409, "Conflict"), RequestRefusedError),
        (problem(422, "PricingNotConfigured"), RequestRefusedError),
        (reply(200, {"success": True}), UnexpectedReplyError),
        (reply(200, {**CONSUMED, "cost": "1"}), UnexpectedReplyError),
        (reply(200, {**CONSUMED, "balance": True}), UnexpectedReplyError),
        (reply(200, {**CONSUMED, "ledgerEntryId": None}), UnexpectedReplyError),
        (TransportReply(404, {"content-type": "text/plain"}, b"?"), UnexpectedReplyError),
    ],
    ids=str,
)
def test_errors_that_are_not_retried(
    charge: Callable[..., Consumption], fault: Any, kind: type[LicetError]
) -> None:
    network = ScriptedNetwork([fault])
    with pytest.raises(kind) as raised:
        charge(network)
    assert len(network.sent) == 1
    assert raised.value.idempotency_key == network.keys[0]


def test_retries_are_limited(charge: Callable[..., Consumption]) -> None:
    network = ScriptedNetwork([ConnectionLostError("x"), problem(409, "ConcurrencyConflict")])
    with pytest.raises(ConcurrencyConflictError) as raised:
        charge(network)
    assert network.pauses == [0.5, 1.0, 2.0, 4.0]
    assert network.keys == [raised.value.idempotency_key] * 5


def test_a_long_retry_after_raises(
    charge: Callable[..., Consumption],
) -> None:
    network = ScriptedNetwork([problem(429, "RateLimited", **{"retry-after": "21"})])
    with pytest.raises(RateLimitedError) as raised:
        charge(network)
    assert (network.pauses, raised.value.retry_after) == ([], 21)
    assert raised.value.idempotency_key == network.keys[0]


def test_retries_stop_after_twenty_seconds(charge: Callable[..., Consumption]) -> None:
    network = ScriptedNetwork([ServerTimeoutError("x")], takes=60)
    with pytest.raises(ServerTimeoutError):
        charge(network)
    assert network.now - 1000 <= 20
    assert [request.timeout for request in network.sent][:2] == [10, 4.75]


def test_jitter_spreads_pauses() -> None:
    fault = ConcurrencyConflictError("x", http_status=409)
    spread = [CHARGE_RETRIES.pause(fault, 2, 20, jitter) for jitter in (0.0, 0.5, 1.0)]
    assert spread == [0.5, 0.75, 1.0]
    assert CHARGE_RETRIES.pause(fault, 5, 20, 0) is None
    assert CHARGE_RETRIES.pause(fault, 1, 0.2, 0) is None
    assert DEFAULT_RETRIES.pause(fault, 1, 20, 0) is None, "other calls do not retry this error"
    internal = ServerUnavailableError("x", http_status=500)
    assert DEFAULT_RETRIES.pause(internal, 1, 20, 0) is None
    assert CHARGE_RETRIES.pause(internal, 1, 20, 0) == 0.25


@pytest.mark.parametrize("number", ["1e30", "1.5", "-0.0", "1E+2"])
def test_any_json_number_is_an_amount(charge: Callable[..., Consumption], number: str) -> None:
    body = json.dumps(CONSUMED).replace('"balance": 9', f'"balance": {number}').encode()
    consumption = charge(ScriptedNetwork([TransportReply(200, {}, body)]))
    assert consumption.balance == Decimal(number)


@pytest.mark.parametrize(
    "number",
    ["NaN", "Infinity", "1e999999999", "1e-999999999", "1e99999999999999999999", '"5"', "[]"],
)
def test_invalid_amounts(charge: Callable[..., Consumption], number: str) -> None:
    body = json.dumps(CONSUMED).replace('"balance": 9', f'"balance": {number}').encode()
    for context in (Context(traps=[InvalidOperation]), Context(traps=[])):
        with localcontext(context), pytest.raises(UnexpectedReplyError):
            charge(ScriptedNetwork([TransportReply(200, {}, body)]))

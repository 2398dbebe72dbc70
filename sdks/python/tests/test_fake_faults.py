"""Fault injection: each planned fault raises the SDK's error, and ends when it should."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import licet
from licet import (
    LicenseClient,
    NetworkError,
    RateLimitedError,
    ServerFaultError,
    ServerUnavailableError,
)
from licet.testing import FakeServer, NetworkFault
from licet.testing._network import ServerFault

NETWORK, SERVER = get_args(NetworkFault), get_args(ServerFault)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def client(server: FakeServer, tmp_path: Path) -> LicenseClient:
    return server.client(server.issue("Perpetual"), folder=tmp_path)


@pytest.mark.parametrize("fault", [*NETWORK, *SERVER])
def test_each_fault_raises_the_error_of_its_name(
    server: FakeServer, client: LicenseClient, fault: Any
) -> None:
    server.fail_next(fault)
    expected = getattr(licet, f"{fault}Error")
    assert issubclass(expected, NetworkError if fault in NETWORK else ServerFaultError)
    with pytest.raises(expected) as raised:
        client.validate_online()
    assert type(raised.value) is expected
    assert client.validate_online().valid


@pytest.mark.parametrize("fault", NETWORK)
def test_offline_until_go_online(
    server: FakeServer, client: LicenseClient, fault: NetworkFault
) -> None:
    assert client.validate().status == "Valid"
    server.go_offline(fault)
    for _ in range(2):
        result = client.validate()
        assert result.status == "GracePeriod"
        assert type(result.cause).__name__ == f"{fault}Error"
    server.advance(days=8)
    assert client.validate().status == "OnlineRequired"
    server.go_online()
    assert client.validate().status == "Valid"


def test_a_fault_on_one_route(server: FakeServer, client: LicenseClient) -> None:
    server.fail_next("ServerUnavailable", on="licenses/Refresh")
    assert client.validate().status == "Valid", "only the refresh of the file failed"
    assert not (client._core.config.license_file).exists()
    statuses = {request.path: request.status for request in server.requests}
    assert statuses == {"/licenses/validate": 200, "/licenses/refresh": 503}


def test_faults_occur_in_the_planned_order(server: FakeServer, client: LicenseClient) -> None:
    server.fail_next("Dns", times=2)
    server.fail_next("RateLimited", retry_after=7)
    causes = [client.validate().cause for _ in range(4)]
    assert [type(cause).__name__ for cause in causes] == [
        "DnsError",
        "DnsError",
        "RateLimitedError",
        "NoneType",
    ]
    assert isinstance(causes[2], RateLimitedError)
    assert causes[2].retry_after == 7
    assert [request.status for request in server.requests][:3] == [None, None, 429]


def test_a_failed_request_is_not_processed(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path) as client:
        server.fail_next("ConnectionLost")
        with pytest.raises(NetworkError):
            client.activate()
        assert not license_.devices


def test_going_online_clears_planned_faults(server: FakeServer, client: LicenseClient) -> None:
    server.go_offline()
    server.fail_next("ServerUnavailable", times=5)
    server.go_online()
    assert client.validate_online()


@pytest.mark.usefixtures("no_pauses")
def test_a_normal_timeout_enables_retries(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual")
    with server.client(license_, folder=tmp_path, retries=True) as client:
        server.fail_next("ServerUnavailable", times=2)
        assert client.validate_online()
        server.fail_next("ServerUnavailable", times=3)
        with pytest.raises(ServerUnavailableError):
            client.validate_online()
    assert [request.status for request in server.requests] == [503, 503, 200, 503, 503, 503]


def test_unknown_faults_are_rejected(server: FakeServer) -> None:
    wrong: Any = "Flood"
    with pytest.raises(ValueError, match="ServerUnavailable"):
        server.fail_next(wrong)
    with pytest.raises(ValueError, match="times"):
        server.fail_next("Dns", times=0)
    unfit: Any = "RateLimited"
    with pytest.raises(ValueError, match="CaptivePortal"):
        server.go_offline(unfit)

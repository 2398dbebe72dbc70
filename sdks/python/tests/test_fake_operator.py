"""The vendor's side of the fake: what operators see and what they cannot do."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import DEADLINE, wait_for

from licet import LicetError, SessionLostError
from licet.testing import FakeLicense, FakeServer

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(clock=lambda: START)


def validate(server: FakeServer, license_: FakeLicense, machine: str, folder: Path) -> str:
    with server.client(license_, folder=folder / machine, hardware_id=machine) as client:
        return client.validate_online().status.value


def test_sessions_expire_by_the_clock(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=1)
    with server.client(license_, folder=tmp_path) as client, client.session(instance_id="a"):
        [session] = license_.sessions
        assert session.instance_id == "a"
        assert session.hardware_id == client.hardware_id
        assert session.expires_at == START + timedelta(seconds=90)
        lives = []
        for seconds in (0, 89, 1):
            server.advance(seconds=seconds)
            lives.append(session.live)
        assert lives == [True, True, False]
        assert license_.sessions == []


def test_a_session_is_lost_when_the_network_is_down(tmp_path: Path) -> None:
    server = FakeServer(heartbeat_interval_seconds=0.05, session_timeout_seconds=0.2)
    license_ = server.issue("Floating", seats=1)
    heard: list[LicetError] = []
    lost, regained = threading.Event(), threading.Event()

    def on_lost(error: LicetError) -> None:
        heard.append(error)
        lost.set()

    with (
        server.client(license_, folder=tmp_path) as client,
        client.session(on_lost=on_lost, on_regained=lambda _: regained.set()) as session,
    ):
        server.go_offline("ServerTimeout")
        assert lost.wait(DEADLINE)
        assert isinstance(heard[0], SessionLostError)
        assert not session.alive
        server.go_online()
        assert regained.wait(DEADLINE)
        assert [seen.id for seen in license_.sessions] == [session.id]


def test_short_heartbeat_intervals_are_accepted(tmp_path: Path) -> None:
    server = FakeServer(heartbeat_interval_seconds=0.05, session_timeout_seconds=0.2)
    license_ = server.issue("Floating", seats=1)
    with server.client(license_, folder=tmp_path) as client, client.session() as session:
        first = session.id
        wait_for(lambda: statuses(server).count(200) >= 5)
        assert session.alive
        assert session.id == first, "the session was kept, not reconnected"
    assert set(statuses(server)) <= {200, 429}, "after a pause of the process, some come too close"


def statuses(server: FakeServer) -> list[int]:
    """Return the statuses of heartbeats that were answered."""
    asked = [request for request in server.requests if request.path == "/sessions/heartbeat"]
    return [heartbeat.status for heartbeat in asked if heartbeat.status is not None]


def test_devices(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("NodeLocked", binding_mode="OwnerApproval")
    assert validate(server, license_, "machine-number-1", tmp_path) == "PendingApproval"
    assert validate(server, license_, "machine-number-2", tmp_path) == "PendingApproval"
    first, second = license_.devices
    assert [device.status for device in license_.devices] == ["Pending", "Pending"]
    first.approve()
    first.approve()
    assert first.status == "Active"
    with pytest.raises(ValueError, match="bound to another"):
        second.approve()
    first.deactivate()
    assert [device.hardware_id for device in license_.devices] == ["machine-number-2"]
    second.block()
    with pytest.raises(ValueError, match="unblock"):
        second.approve()
    second.unblock()
    second.approve()
    assert validate(server, license_, "machine-number-2", tmp_path) == "Valid"
    assert second == license_.devices[0]
    assert repr(second) == "FakeDevice(hardware_id='...er-2', status='Active')"


def test_the_device_name_is_stored(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path, device_name="Desk 4") as client:
        activation = client.activate()
    [device] = license_.devices
    assert (device.id, device.name) == (activation.id, "Desk 4")


def test_access_attempts(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("NodeLocked")
    assert validate(server, license_, "first", tmp_path) == "Valid"
    for _ in range(2):
        assert validate(server, license_, "second", tmp_path) == "HardwareMismatch"
        server.advance(hours=1)
    [attempt] = license_.access_attempts
    assert (attempt.hardware_id, attempt.bound_hardware_id) == ("second", "first")
    assert (attempt.entry_point, attempt.count) == ("Validate", 2)
    assert attempt.last_seen_at - attempt.first_seen_at == timedelta(hours=1)


def test_the_seat_cap_can_be_changed_for_capped_models(server: FakeServer) -> None:
    floating, perpetual = server.issue("Floating", seats=2), server.issue("Perpetual")
    floating.seats = 5
    assert floating.seats == 5
    for license_, seats in ((floating, 0), (perpetual, 5)):
        with pytest.raises(ValueError, match="seats"):
            license_.seats = seats
    assert (floating.seats, perpetual.seats) == (5, None)


def test_a_revocation_is_final(server: FakeServer) -> None:
    license_ = server.issue("Perpetual")
    license_.suspend()
    assert license_.status == "Suspended"
    license_.reinstate()
    assert license_.status == "Active"
    license_.revoke()
    assert license_.status == "Revoked"
    for act in (license_.suspend, license_.reinstate):
        with pytest.raises(ValueError, match="final"):
            act()
    with pytest.raises(ValueError, match="Revoked"):
        license_.file()


def test_files_issued_by_the_vendor(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("NodeLocked", activation_mode="Offline")
    short = server.issue("Perpetual", license_key="short-key-1")
    options: Any = {"hardware_id": "there"}
    with server.client(license_, folder=tmp_path, **options) as client:
        file = tmp_path / "license.bin"
        for protected, dots in ((False, 2), (True, 4)):
            file.write_text(license_.file("there", protected=protected))
            assert file.read_text().count(".") == dots
            assert client.validate_offline().status == "Valid"
        with pytest.raises(ValueError, match="bound to another"):
            license_.file("elsewhere")
        license_.devices[0].block()
        with pytest.raises(ValueError, match="unblock"):
            license_.file("there")
        license_.devices[0].deactivate()
        file.write_text(license_.file())
        assert client.validate_offline().status == "HardwareIdRequired"
        file.write_text(license_.file("elsewhere"))
        assert client.validate_offline().status == "HardwareMismatch"
    assert not server.requests
    with pytest.raises(ValueError, match="too short"):
        short.file(protected=True)

"""The fake decides like the server which devices may use a license."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from licet import LicenseClient
from licet.errors import LicenseRefusedError, RequestRefusedError, SeatsExhaustedError
from licet.testing import FakeLicense, FakeServer

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)
DIGITS = "0123456789abcdef0123456789abcdef01234567"

Open = Callable[[FakeServer, FakeLicense, str], LicenseClient]


@pytest.fixture
def client_on(tmp_path: Path) -> Open:
    """A client of a license on a device."""

    def make(server: FakeServer, license_: FakeLicense, device: str) -> LicenseClient:
        folder = tmp_path / f"{license_.id}-{device}"
        folder.mkdir(exist_ok=True)
        options = server.options(license_, folder=folder, hardware_id=device)
        return LicenseClient(**options, transport=server.transport)

    return make


def test_a_device_uses_one_trial_only(client_on: Open) -> None:
    server = FakeServer(clock=lambda: START, trial_once_per_device=True)
    first, second = (server.issue("Trial", expires=START + timedelta(days=9)) for _ in range(2))
    for _ in range(2):
        assert client_on(server, first, "machine-1").validate().valid
        refused = client_on(server, second, "machine-1").validate()
        assert refused.status == "TrialAlreadyUsed"
        assert "another trial" in refused.message
    with pytest.raises(LicenseRefusedError) as raised:
        client_on(server, second, "machine-1").activate()
    assert raised.value.error_code == "TrialAlreadyUsed"
    assert client_on(server, second, "machine-2").validate().valid
    assert client_on(server, first, "machine-1").activate().status == "Active"


@pytest.mark.parametrize("letter", ["j", "n"])
def test_a_license_for_one_machine_is_for_no_shared_id(client_on: Open, letter: str) -> None:
    server, shared = FakeServer(clock=lambda: START), f"h1{letter}-{DIGITS}"
    bound, floating = server.issue("NodeLocked"), server.issue("Floating", seats=1)
    refused = client_on(server, bound, shared).validate()
    assert refused.status == "HardwareIdNotAccepted"
    assert "does not accept devices of this kind" in refused.message
    with pytest.raises(RequestRefusedError) as raised:
        client_on(server, bound, shared).activate()
    assert raised.value.error_code == "HardwareIdNotAccepted"
    assert client_on(server, floating, shared).validate().valid
    assert client_on(server, bound, f"h1m-{DIGITS}").validate().valid
    accepting = FakeServer(clock=lambda: START, hardware_id_kinds=[letter])
    assert client_on(accepting, accepting.issue("NodeLocked"), shared).validate().valid


def test_an_idle_device_gives_its_seat_to_a_new_one(client_on: Open) -> None:
    server = FakeServer(clock=lambda: START, device_idle_days=30)
    license_ = server.issue("Concurrent", seats=1)
    assert client_on(server, license_, "machine-1").activate().status == "Active"
    with pytest.raises(SeatsExhaustedError):
        client_on(server, license_, "machine-2").activate()
    server.advance(days=30)
    assert client_on(server, license_, "machine-2").activate().status == "Active"
    assert [device.hardware_id for device in license_.devices] == ["machine-2"]

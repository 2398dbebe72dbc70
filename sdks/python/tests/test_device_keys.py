"""The key of a device on disk; what it proves is in the conformance suite."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from conformance.proofs import open_proof
from licet_testkit import (
    VECTORS,
    FakeClock,
    LicenseServer,
    Vendor,
    as_json,
    client_options,
    make_client,
    online,
    problem,
)

from licet import AsyncLicenseClient, DeviceProofRequiredError, LicenseClient
from licet._device_key import FILE_NAME, DeviceKeyFile
from licet._disk import write_once
from licet.testing import FakeServer

KEY = json.loads((VECTORS / "proofs.json").read_text())["keys"][0]
PRINTS_ITS_KEY = """
import sys
from pathlib import Path
from licet._device_key import DeviceKeyFile
folder = Path(sys.argv[1])
sys.stdin.readline()
print(DeviceKeyFile(folder).get().jkt)
"""


def jkts_of_processes(folder: Path) -> set[str]:
    """The keys of processes that make one at the same time."""
    command = [sys.executable, "-c", PRINTS_ITS_KEY, str(folder)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return {process.communicate()[0].strip() for process in running}


def test_processes_that_start_at_once_have_one_key(tmp_path: Path) -> None:
    assert len(jkts_of_processes(tmp_path / "state")) == 1
    assert [item.name for item in (tmp_path / "state").iterdir()] == [FILE_NAME]


def test_a_process_that_was_overtaken_takes_the_key_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = DeviceKeyFile(tmp_path)

    def overtaken(path: Path, content: bytes) -> None:
        monkeypatch.undo()
        first.get()
        write_once(path, content)

    monkeypatch.setattr("licet._device_key.write_once", overtaken)
    second = DeviceKeyFile(tmp_path).get()
    assert second is not None
    assert second.jkt == first.find().jkt  # type: ignore[union-attr]


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    made = DeviceKeyFile(tmp_path).get()
    assert made is not None
    assert DeviceKeyFile(tmp_path).get().jkt == made.jkt  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "changed",
    [
        {"crv": "P-384"},
        {"kty": "RSA"},
        {"d": None},
        {"d": KEY["privateKey"]["d"][:-2]},
        {"d": KEY["privateKey"]["d"] + "="},
        {"d": 7},
        {"y": KEY["privateKey"]["x"]},
        {"x": "A" * 43},
    ],
    ids=str,
)
def test_a_damaged_key_is_none_and_stays(tmp_path: Path, changed: dict[str, Any]) -> None:
    path, text = tmp_path / FILE_NAME, json.dumps({**KEY["privateKey"], **changed})
    path.write_text(text)
    found = DeviceKeyFile(tmp_path)
    assert found.get() is None
    assert found.problem is not None
    assert str(path) in found.problem
    assert path.read_text() == text
    path.write_text(json.dumps(KEY["privateKey"]))
    assert found.get().jkt == KEY["jkt"]  # type: ignore[union-attr]
    assert found.problem is None


def test_nothing_fails_where_no_key_can_be_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    fake = FakeServer()
    license_ = fake.issue("Perpetual")
    with fake.client(license_, folder=tmp_path, state_folder=blocked / "state") as client:
        assert client.identity().jkt is None
        assert client.validate().valid


def test_verifying_a_file_makes_no_key(tmp_path: Path, clock: FakeClock, vendor: Vendor) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(claims={"cnf": {"jkt": KEY["jkt"]}}))
    with make_client(tmp_path, clock) as client:
        assert client.validate_offline().status == "DeviceProofRequired"
    assert not (tmp_path / FILE_NAME).exists()


def proof_times(server: LicenseServer) -> list[int]:
    return [open_proof(headers["dpop"])[1]["iat"] for _, _, headers in server.requests]


def refusal(at: datetime) -> Any:
    return problem(403, "DeviceProofRequired", Date=format_datetime(at, usegmt=True))


def test_a_verdict_for_the_clock_is_asked_for_again(
    tmp_path: Path, server: LicenseServer, clock: FakeClock
) -> None:
    now, ahead = int(clock.now.timestamp()), timedelta(minutes=10)
    date = {"Date": format_datetime(clock.now + ahead, usegmt=True)}
    server.script = [as_json({"status": "DeviceProofRequired"}, headers=date)]
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().valid
    assert proof_times(server) == [now, now + 600]


@pytest.mark.parametrize("seconds", [0, 59, -59])
def test_a_proof_that_was_overtaken_is_signed_again_with_the_own_clock(
    tmp_path: Path, server: LicenseServer, clock: FakeClock, seconds: int
) -> None:
    server.script = [refusal(clock.now + timedelta(seconds=seconds))]
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().valid
    assert proof_times(server) == [int(clock.now.timestamp())] * 2


def test_a_date_that_is_none_corrects_nothing(
    tmp_path: Path, server: LicenseServer, clock: FakeClock
) -> None:
    server.script = [problem(403, "DeviceProofRequired", Date="tomorrow")]
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().valid
    assert proof_times(server) == [int(clock.now.timestamp())] * 2


def test_nothing_is_signed_a_third_time(
    tmp_path: Path, server: LicenseServer, clock: FakeClock
) -> None:
    server.script = [refusal(clock.now + timedelta(hours=hours)) for hours in (1, 2)]
    client = make_client(tmp_path, clock, **online(server))
    with client, pytest.raises(DeviceProofRequiredError):
        client.validate_online()
    assert len(server.requests) == 2


async def test_both_clients_have_one_identity(tmp_path: Path, clock: FakeClock) -> None:
    with LicenseClient(**client_options(tmp_path, clock)) as client:
        async with AsyncLicenseClient(**client_options(tmp_path, clock)) as other:
            assert await other.identity() == client.identity()


def test_the_fake_asks_for_a_key_as_the_license_says(tmp_path: Path) -> None:
    fake = FakeServer()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / FILE_NAME).write_text("{}")

    def status(proof: Any, folder: str) -> str:
        license_ = fake.issue("Concurrent", seats=1, device_proof=proof)
        with fake.client(license_, folder=tmp_path / folder) as client:
            client.activate()
            return str(client.validate_online().status)

    assert status("Off", "broken") == status("WhenPresent", "broken") == "Valid"
    assert status("Required", "good") == "Valid"
    with pytest.raises(DeviceProofRequiredError):
        status("Required", "broken")


def test_a_device_of_the_fake_that_has_shown_a_key_must_show_one(tmp_path: Path) -> None:
    fake = FakeServer()
    license_ = fake.issue("Concurrent", seats=1, device_proof="WhenPresent")
    with fake.client(license_, folder=tmp_path) as client:
        client.activate()
        assert client.refresh().valid
    (tmp_path / FILE_NAME).write_text("{}")
    with fake.client(license_, folder=tmp_path) as client:
        assert client.validate_offline().status == "DeviceProofRequired"
        result = client.validate_online()
        assert result.status == "DeviceProofRequired"
        assert any(FILE_NAME in warning for warning in result.warnings)

"""Components of this machine, and what the fake recognizes by them; vectors have the recipe."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import PRODUCT, VECTORS

from licet import LicenseClient
from licet._components import find_components, read_components
from licet._machine import ThisMachine
from licet._transport import TransportRequest
from licet.cli import main
from licet.testing import FakeLicense, FakeServer

BASE = "https://licet.test/api"
HISTORIES = {
    item["name"]: item for item in json.loads((VECTORS / "hardware.json").read_text())["histories"]
}
KEYS = {item["jkt"]: item for item in json.loads((VECTORS / "proofs.json").read_text())["keys"]}
# The fake looks for no clones.
CLONED = {name for name in HISTORIES if "copied" in name and name != "copied-to-a-new-drive"}
FOLLOWED = sorted(HISTORIES.keys() - CLONED - {"image-on-three-machines-of-one-model"})


def activated(server: FakeServer, license_: FakeLicense, step: Mapping[str, Any]) -> dict[str, Any]:
    """Activate the machine of a step; the fake does not verify proofs."""
    headers = {"X-API-KEY": server.api_key, "Content-Type": "application/json"}
    if step["jkt"] is not None:
        header = json.dumps({"jwk": KEYS[step["jkt"]]["publicKey"]}).encode()
        headers["DPoP"] = urlsafe_b64encode(header).decode().rstrip("=") + ".."
    shown = {name: step[name] for name in ("hardwareId", "components")}
    body = json.dumps({"licenseKey": license_.key, **shown}).encode()
    request = TransportRequest("POST", f"{BASE}/activations", headers, body, 1.0)
    reply = server.transport.send(request)
    answer: dict[str, Any] = json.loads(reply.body)
    assert reply.status < 300, answer["errorCode"]
    return answer


@pytest.mark.parametrize("name", FOLLOWED)
def test_the_fake_follows_a_machine(name: str) -> None:
    history, now = HISTORIES[name], [datetime(2026, 1, 1, tzinfo=UTC)]
    server = FakeServer(clock=lambda: now[0], app_device_release=True)
    match = history["machineMatch"]
    license_ = server.issue(
        "Concurrent",
        seats=9,
        device_proof=history["deviceProof"],
        machine_match=(match["atLeast"], match["of"]),
    )
    ids: dict[str, str] = {}
    for step in history["steps"]:
        now[0] = datetime.fromisoformat(step["at"])
        found, expected = activated(server, license_, step)["activationId"], step["expected"]
        is_new = expected["outcome"] == "New"
        assert (found not in ids.values()) is is_new, step
        assert ids.setdefault(expected["device"], found) == found
        device = next(item for item in license_.devices if item.id == found)
        assert device.hardware_id == expected["deviceHardwareId"]


def test_a_new_key_counts_as_a_release() -> None:
    server = FakeServer(app_device_release=True, app_releases_per_year=1)
    license_ = server.issue("Concurrent", seats=1, machine_match=(2, 3), device_proof="WhenPresent")
    first, second = HISTORIES["installed-again-without-its-key"]["steps"][:2]
    activated(server, license_, first)
    activated(server, license_, second)
    with pytest.raises(AssertionError, match="MaxActivationsReached"):
        activated(server, license_, first)


@pytest.mark.parametrize(
    "shown",
    [
        {"disk": "0123"},
        {"Disk": "0" * 16},
        {"disk": 7},
        ["disk"],
        {"disk": "G" * 16},
        {"hardwareId": "0" * 16},
    ],
)
def test_the_fake_refuses_components_of_another_form(shown: Any) -> None:
    server = FakeServer()
    license_ = server.issue("Concurrent", seats=1)
    with pytest.raises(AssertionError, match="InvalidRequest"):
        activated(server, license_, {"hardwareId": "a", "jkt": None, "components": shown})


@pytest.mark.parametrize("match", [(1, 2), (2, 4), (4, 3), (5, 9)])
def test_a_match_that_is_not_allowed(match: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="machine_match"):
        FakeServer().issue("Concurrent", seats=1, machine_match=match)


def test_only_licenses_of_devices_compare_components() -> None:
    with pytest.raises(ValueError, match="machine_match"):
        FakeServer().issue("Floating", seats=1, machine_match=(2, 3))


def test_a_license_file_of_the_fake_names_components(tmp_path: Path) -> None:
    """A machine that was installed again uses the file of its backup without the server."""
    server = FakeServer()
    license_ = server.issue("Concurrent", seats=1, machine_match=(2, 3), activation_mode="Offline")
    machines = json.loads((VECTORS / "hardware.json").read_text())["components"]
    values = machines[0]["values"]

    def machine(**changes: str) -> LicenseClient:
        client = LicenseClient(
            **server.options(license_, folder=tmp_path), transport=server.transport
        )
        known = {**values, **changes}
        client._core.__dict__["hardware_id"] = f"h1m-{known['osInstall']}"
        client._core.__dict__["components"] = {
            name: sha256(value.encode()).hexdigest()[:16] for name, value in known.items()
        }
        return client

    assert machine().refresh().valid
    assert machine(osInstall="another", volume="another").validate_offline().valid
    other = machine(osInstall="another", volume="another", disk="another")
    assert other.validate_offline().status == "HardwareMismatch"


def test_this_machine_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = find_components(PRODUCT)
    monkeypatch.setattr("licet._components.read_components", lambda _: pytest.fail("read again"))
    assert find_components(PRODUCT) == first


def test_reading_this_machine_never_fails() -> None:
    assert all(read_components(ThisMachine()).values())
    assert ThisMachine().names("/no/such/folder") == []
    assert "cpuinfo" in ThisMachine().names("/proc")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("osInstall", "model", "disk", "volume"), "model and disk survive a new installation"),
        (("osInstall", "model", "disk"), "osInstall and model a new drive"),
        ((), "another hardware ID is another device"),
    ],
)
def test_doctor_says_what_survives(
    names: tuple[str, ...],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("licet._core.find_components", lambda *_: dict.fromkeys(names, "0" * 16))
    server = FakeServer()
    key = tmp_path / "key.pem"
    key.write_text(server.public_key)
    main(["doctor", str(tmp_path), "--product-id", server.product_id, "--public-key", str(key)])
    assert expected in capsys.readouterr().out


def test_verify_reads_the_machine_only_for_a_file_that_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = FakeServer()
    asked: list[str] = []

    def find(product_id: str) -> Mapping[str, str]:
        asked.append(product_id)
        return {}

    monkeypatch.setattr("licet._offline.find_components", find)
    key = tmp_path / "key.pem"
    key.write_text(server.public_key)
    for match in (None, (2, 3)):
        license_ = server.issue("NodeLocked", activation_mode="Offline", machine_match=match)
        activated(server, license_, HISTORIES["new-dock"]["steps"][0])
        file = tmp_path / "license.bin"
        file.write_text(license_.file("h1m-a"))
        main(["verify", str(file), "--product-id", server.product_id, "--public-key", str(key)])
        assert "HardwareMismatch" in capsys.readouterr().out
        assert len(asked) == (match is not None)

"""What is kept on this machine: its loss, and whatever is written into it, grants nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    HARDWARE,
    PRODUCT,
    PUBLIC_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
    make_client,
    online,
)

from licet import LicenseClient
from licet._offline import verify_text

OFFLINE: dict[str, Any] = {"activationMode": "Offline"}


def state_file(folder: Path) -> Path:
    [found] = folder.glob("*.state")
    return found


def confirmed(folder: Path, clock: FakeClock, server: LicenseServer) -> LicenseClient:
    """A client without a server, after a signed verdict and with a license.bin."""
    with make_client(folder, clock, **online(server)) as client:
        assert client.validate().status == "Valid"
    return make_client(folder, clock)


def test_a_lost_state_grants_no_grace_period(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    """M9: ClockTampered became GracePeriod when the state was deleted."""
    client = confirmed(tmp_path, clock, server)
    clock.advance(days=3)
    assert client.validate_offline().status == "GracePeriod"
    clock.advance(days=-2, hours=-5, minutes=-7)
    assert client.validate_offline().status == "ClockTampered"
    state_file(tmp_path).unlink()
    assert make_client(tmp_path, clock).validate_offline().status == "OnlineRequired"


@pytest.mark.parametrize("loss", ["deleted", "cut", "edited", "emptied", "another machine's"])
def test_a_damaged_state_grants_no_grace_period(
    loss: str, tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    confirmed(tmp_path, clock, server)
    path = state_file(tmp_path)
    raw = path.read_bytes()
    hardware = HARDWARE
    if loss == "deleted":
        path.unlink()
    elif loss == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    elif loss == "edited":
        path.write_bytes(raw.replace(b"anchor", b"ancho1"))
    elif loss == "emptied":
        path.write_bytes(b"")
    else:
        hardware = "h1m-another"
    client = make_client(tmp_path, clock, hardware_id=hardware)
    assert client.validate_offline().status == "OnlineRequired"


def test_a_state_that_was_forged_with_its_own_key_grants_no_grace_period(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    """The MAC of the state is no secret of ours; the verdict in it is signed by the server."""
    confirmed(tmp_path, clock, server)
    elsewhere = make_client(tmp_path, clock, hardware_id="h1m-another")
    good = make_client(tmp_path, clock)._core.store.load()
    elsewhere._core.store.update(lambda _: good)
    assert elsewhere._core.store.load() == good, "the MAC fits"
    assert elsewhere.validate_offline().status == "OnlineRequired"


@pytest.mark.parametrize("status", ["Suspended", "Revoked", "LicenseNotFound", "Frozen"])
@pytest.mark.parametrize("mode", ["Online", "Offline"])
def test_a_refusal_survives_the_loss_of_the_state(
    mode: str, status: str, tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    """M9: a signed Suspended was forgotten when the state was deleted."""
    server.file_terms = {"activationMode": mode}
    (tmp_path / "license.bin").write_text(vendor.file(activationMode=mode))
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_online().valid
    server.status = status
    clock.advance(minutes=5)
    refused = client.validate_online().status
    state_file(tmp_path).unlink()
    again = make_client(tmp_path, clock).validate_offline()
    assert (again.valid, again.status, again.source) == (False, refused, "file")
    assert (tmp_path / "license.bin").read_text().count(".") == 2


def test_a_reinstated_license_gets_its_file_back(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    server.file_terms = OFFLINE
    (tmp_path / "license.bin").write_text(vendor.protect(vendor.file(**OFFLINE)))
    client = make_client(tmp_path, clock, **online(server))
    server.status = "Suspended"
    client.validate_online()
    assert client.validate().status == "Suspended"
    server.status = "Valid"
    clock.advance(minutes=5)
    assert make_client(tmp_path, clock, **online(server)).validate().status == "Valid"
    assert (tmp_path / "license.bin").read_text().count(".") == 4, "protected as before"
    assert make_client(tmp_path, clock, **online(server)).validate_offline().status == "Valid"


def test_a_license_key_that_only_the_file_had_is_kept(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    server.file_terms = OFFLINE
    (tmp_path / "license.bin").write_text(vendor.file(**OFFLINE))
    server.status = "Suspended"
    keyless = online(server, license_key=None)
    for _ in range(2):
        assert make_client(tmp_path, clock, **keyless).validate_online().status == "Suspended"
    server.status = "Valid"
    clock.advance(minutes=5)
    assert make_client(tmp_path, clock, **keyless).validate().status == "Valid"
    assert make_client(tmp_path, clock, **keyless).validate_offline().status == "Valid"


@pytest.mark.parametrize("status", ["DeviceBlocked", "HardwareMismatch", "CredentialsInvalid"])
def test_a_refusal_of_this_machine_does_not_replace_a_file_for_all(
    status: str, tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    shared = vendor.file(**OFFLINE)
    (tmp_path / "license.bin").write_text(shared)
    server.status = status
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_online().status == status
    assert (tmp_path / "license.bin").read_text() == shared
    assert client.validate_offline().status == status


def test_a_refusal_of_this_machine_replaces_its_own_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    own = vendor.file(claims={"hardwareIds": [HARDWARE]}, type="NodeLocked", **OFFLINE)
    (tmp_path / "license.bin").write_text(own)
    server.status = "DeviceBlocked"
    make_client(tmp_path, clock, **online(server)).validate_online()
    state_file(tmp_path).unlink()
    assert make_client(tmp_path, clock).validate_offline().status == "DeviceBlocked"


def test_the_refusal_of_another_key_leaves_the_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(**OFFLINE))
    server.status = "LicenseNotFound"
    typo = make_client(tmp_path, clock, **online(server, license_key="mistyped-key-1"))
    assert typo.validate_online().status == "LicenseNotFound"
    assert make_client(tmp_path, clock).validate_offline().status == "Valid"


def test_a_file_that_cannot_be_replaced_is_refused_by_the_state(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor, monkeypatch: Any
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(**OFFLINE))
    server.status = "Revoked"

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("licet._refused_file.write_license", refuse)
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_online().status == "Revoked"
    assert make_client(tmp_path, clock).validate_offline().status == "Revoked"


def test_the_command_names_the_refusal_in_the_place_of_the_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    (tmp_path / "license.bin").write_text(vendor.file(**OFFLINE))
    server.status = "Suspended"
    make_client(tmp_path, clock, **online(server)).validate_online()
    options = {"product_id": PRODUCT, "public_key": PUBLIC_KEY}
    text = (tmp_path / "license.bin").read_text()
    assert verify_text(text, {**options, "hardware_id": HARDWARE}).status == "Suspended"
    elsewhere = verify_text(text, {**options, "hardware_id": "h1m-another"})
    assert elsewhere.status == "SignatureMismatch"

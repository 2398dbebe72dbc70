from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    HARDWARE,
    OTHER_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
    as_json,
    make_client,
    online,
    problem,
)

from licet import (
    RequestRefusedError,
)

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.mark.specification("service.sdk-online")
def test_refresh_writes_the_file(tmp_path: Path, clock: FakeClock, server: LicenseServer) -> None:
    client = make_client(tmp_path, clock, **online(server))
    result = client.refresh()
    assert result.status == "Valid"
    assert server.requests[0][1]["protected"] is False
    assert server.paths() == ["refresh", "validate"], "a grace period begins with a verdict"
    assert client.validate_offline().status == "GracePeriod"
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".bin", ".json", ".state"]


def test_refresh_keeps_the_protected_form(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    assert make_client(tmp_path, clock, **online(server, protect_file=True)).refresh()
    assert (tmp_path / "license.bin").read_text().count(".") == 4
    clock.advance(days=2)
    assert make_client(tmp_path, clock, **online(server)).refresh()
    assert (tmp_path / "license.bin").read_text().count(".") == 4


BAD_FILES: dict[str, Callable[[Vendor, FakeClock], Any]] = {
    "fake server": lambda v, c: v.file(issued=c.now, key=v.stale),
    "other product": lambda v, c: v.file(issued=c.now, claims={"aud": "x"}),
    "other license": lambda v, c: v.file(issued=c.now, terms={"key": OTHER_KEY}),
    "older": lambda v, c: v.file(issued=c.now - timedelta(days=30)),
    "no file": lambda *_: None,
}


@pytest.mark.parametrize("make", BAD_FILES.values(), ids=BAD_FILES.keys())
def test_refresh_keeps_a_valid_file(
    make: Any, tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    good = vendor.file()
    (tmp_path / "license.bin").write_text(good)
    clock.advance(days=1)
    server.on_refresh = lambda _: as_json({"file": make(vendor, clock)})
    result = make_client(tmp_path, clock, **online(server)).refresh()
    assert result.status == "SignatureMismatch"
    assert (tmp_path / "license.bin").read_text() == good


def test_refresh_rejects_another_machines_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    server.file_terms = {"claims": {"hardwareIds": ["h1m-another"]}}
    result = make_client(tmp_path, clock, **online(server)).refresh()
    assert result.status == "HardwareMismatch"
    assert not (tmp_path / "license.bin").exists()


@pytest.mark.specification("states.revoked-offline", "service.sdk-online")
def test_a_refused_refresh_returns_the_signed_reason(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.status = "Revoked"
    result = make_client(tmp_path, clock, **online(server)).refresh()
    assert result.status == "Revoked"
    assert server.paths() == ["refresh", "validate"]


def test_a_refused_refresh_of_a_valid_license_raises(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    server.on_refresh = lambda _: problem(403, "ActivationRequired")
    client = make_client(tmp_path, clock, **online(server))
    with pytest.raises(RequestRefusedError) as caught:
        client.refresh()
    assert caught.value.error_code == "ActivationRequired"
    assert client.validate().status == "Valid"
    client.validate()
    assert server.paths() == ["refresh", "validate", "validate", "refresh", "validate"]


def test_a_crash_while_writing_leaves_the_old_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor, monkeypatch: Any
) -> None:
    good = vendor.file()
    (tmp_path / "license.bin").write_text(good)
    clock.advance(days=2)
    client = make_client(tmp_path, clock, **online(server))
    client.validate_offline()

    def crash(_: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", crash)
    assert client.validate().status == "Valid"
    assert (tmp_path / "license.bin").read_text() == good
    assert not list(tmp_path.glob(".*.tmp"))


def test_a_node_locked_license_gets_its_bound_file(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor
) -> None:
    terms: dict[str, Any] = {"type": "NodeLocked", "activationMode": "Offline"}
    (tmp_path / "license.bin").write_text(vendor.file(**terms))
    server.file_terms = {**terms, "claims": {"hardwareIds": [HARDWARE]}}
    client = make_client(tmp_path, clock, **online(server))
    assert client.validate_offline().status == "HardwareIdRequired"
    assert client.validate().status == "Valid"
    assert client.validate_offline().status == "Valid"

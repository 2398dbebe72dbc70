"""A client with an enrollment key: its token, and a seat that the user frees for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from client_scenarios.requests import HERE, THERE
from client_scenarios.target import Vendor
from licet import LicenseClient, SeatsExhaustedError


def client_of(
    vendor: Vendor, folder: Path, license_key: str | None = None, **options: Any
) -> LicenseClient:
    folder.mkdir(exist_ok=True)
    given = {"hardware_id": HERE, "seat_mode": "Activation", **options}
    return vendor.target.client(folder, license_key, **given)


def check_a_machine_with_an_enrollment_key(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    key = license_.enrollment_key(max_devices=1)
    with client_of(vendor, folder, enrollment_key=key) as client, client.open() as opened:
        assert opened.seat.held
        assert opened.result.license is not None
        assert opened.result.license.key is None
        client.refresh()
    with client_of(vendor, folder, enrollment_key=key) as client:
        assert client.validate_offline().status == "GracePeriod"
        [token] = folder.glob("*.token")
        token.unlink()
    with client_of(vendor, folder, enrollment_key=key, protect_file=True) as client:
        assert client.validate().valid
        assert client.refresh().valid
        assert client.validate_offline().status == "GracePeriod"
        client.deactivate()
    assert not license_.devices


def check_a_user_frees_the_seat_of_another_device(vendor: Vendor, folder: Path) -> None:
    vendor = vendor.with_app_releases(1)
    license_ = vendor.issue("Concurrent", seats=1)
    key = license_.enrollment_key()
    with (
        client_of(vendor, folder / "old", enrollment_key=key, device_name="Laptop") as old,
        client_of(vendor, folder / "new", license_.key, hardware_id=THERE) as new,
    ):
        old.open().close()
        with pytest.raises(SeatsExhaustedError) as full:
            new.open()
        assert full.value.can_release
        [device] = new.devices()
        assert (device.name, device.current) == ("Laptop", False)
        assert new.release_device(device).seat_free_at is None
        new.open().close()
        with pytest.raises(SeatsExhaustedError) as again:
            old.open()
        assert not again.value.can_release

"""`open()`: one call that does what the model needs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client_scenarios.requests import HERE, THERE, UNKNOWN_KEY, device, statuses
from client_scenarios.target import Vendor
from client_scenarios.verdicts import EVERY_MODEL
from licet import (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    LicenseSeat,
    SeatsExhaustedError,
)

SEATS = {
    "Floating": LicenseSeat("Session", held=True, used=1, total=3),
    "Concurrent": LicenseSeat("Device", held=True, used=1, total=3),
    "NodeLocked": LicenseSeat("Machine", held=True, used=1, total=1),
}


def check_every_model_is_opened(vendor: Vendor, folder: Path) -> None:
    for model, terms in EVERY_MODEL.items():
        license_ = vendor.issue(model, **terms)
        place = folder / model
        with vendor.target.client(place, license_.key, hardware_id=HERE) as client:
            for _ in range(2):
                with client.open() as opened:
                    assert (opened.type, opened.status, opened.id) == (model, "Valid", license_.id)
                    assert opened.seat == SEATS.get(model, LicenseSeat("None")), model
                    assert len(license_.sessions) == (model == "Floating")
                    assert (opened.balance is not None) == model.startswith("Metered")
                assert not license_.sessions
            kept = {HERE: "Active"} if model in {"Concurrent", "NodeLocked"} else {}
            assert statuses(license_) == kept, model


def check_a_seat_cap_holds_for_open(vendor: Vendor, folder: Path) -> None:
    for model in ("Floating", "Concurrent"):
        license_ = vendor.issue(model, seats=1)
        with (
            vendor.target.client(folder / model / "a", license_.key, hardware_id=HERE) as here,
            vendor.target.client(folder / model / "b", license_.key, hardware_id=THERE) as there,
            here.open() as opened,
        ):
            with pytest.raises(SeatsExhaustedError) as full:
                there.open()
            assert (full.value.seats_used, full.value.seats_total) == (1, 1)
            opened.release()
            assert opened.seat.held is False
            with there.open() as other:
                assert other.seat.held


def check_a_refusal_of_open_has_a_name(vendor: Vendor, folder: Path) -> None:
    revoked, trial = vendor.issue("Floating", seats=1), vendor.issue("Perpetual")
    revoked.revoke()
    trial.suspend()
    with vendor.target.client(folder / "unknown", UNKNOWN_KEY) as client:
        refused(client, LicenseRefusedError, "LicenseNotFound")
    for license_, status in ((revoked, "Revoked"), (trial, "Suspended")):
        with vendor.target.client(folder / status, license_.key) as client:
            refused(client, LicenseRefusedError, status)
    bound = vendor.issue("NodeLocked")
    with vendor.target.client(folder / "bound", bound.key, hardware_id=HERE) as client:
        with client.open() as opened:
            assert opened.seat.held
        device(bound).block()
        refused(client, DeviceBlockedError, "DeviceBlocked")
    with vendor.target.client(folder / "there", bound.key, hardware_id=THERE) as client:
        refused(client, HardwareMismatchError, "HardwareMismatch")
    waiting = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    with vendor.target.client(folder / "waiting", waiting.key, hardware_id=HERE) as client:
        refused(client, ApprovalPendingError, "PendingApproval")
        device(waiting).approve()
        with client.open() as opened:
            assert opened.seat.held


def check_a_license_with_credentials_is_opened(vendor: Vendor, folder: Path) -> None:
    login: dict[str, Any] = {"username": "Jö", "password": "a secret: ü%&"}
    license_ = vendor.issue("Perpetual", **login)
    with vendor.target.client(folder / "a", license_.key) as client:
        refused(client, LicenseRefusedError, "CredentialsRequired")
    with vendor.target.client(folder / "b", license_.key, username="Jö", password="no") as client:
        refused(client, LicenseRefusedError, "CredentialsInvalid")
        with pytest.raises(LicenseRefusedError) as wrong:
            client.activate()
        assert wrong.value.error_code == "InvalidCredentials"
    login["app_version"] = "2.1.0"
    with vendor.target.client(folder / "c", license_.key, **login) as client:
        with client.open() as opened:
            assert opened.status == "Valid"
        assert client.activate()
        with client.session() as session:
            assert session.alive
        assert not client.check_for_update().available
        client.deactivate()
        assert not license_.devices


def check_an_open_license_is_charged(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("MeteredCount", initial_meter_balance=5)
    with (
        vendor.target.client(folder, license_.key, hardware_id=HERE) as client,
        client.open() as opened,
    ):
        charge = opened.consume("export", 2, idempotency_key="order-1")
        assert opened.consume("export", 2, idempotency_key="order-1").replayed
        assert opened.balance is not None
        assert opened.balance.balance == charge.balance == license_.balance == 3


def check_entitlements_of_an_open_license(vendor: Vendor, folder: Path) -> None:
    limited, free = vendor.issue("Perpetual", features=["Panorama"]), vendor.issue("Perpetual")
    with vendor.target.client(folder / "a", limited.key) as client, client.open() as opened:
        assert opened.features == ("Panorama",)
        assert (opened.entitlement("panorama"), opened.entitlement("Other")) == (True, None)
    with vendor.target.client(folder / "b", free.key) as client, client.open() as opened:
        assert (opened.features, opened.entitlement("anything")) == (None, True)


def check_an_offline_concurrent_license(vendor: Vendor, folder: Path) -> None:
    """Its files are for one device each, and a copied one is refused."""
    license_ = vendor.issue("Concurrent", seats=1, activation_mode="Offline")
    first, second, third = folder / "first", folder / "second", folder / "third"
    for place in (first, second):
        place.mkdir(parents=True)
        (place / "license.bin").write_text(license_.file(HERE))
    with vendor.target.client(first, license_.key, hardware_id=HERE) as client:
        assert client.validate_offline().status == "Valid"
        with client.open() as opened:
            assert (opened.result.source, opened.seat.held) == ("file", True)
    with vendor.target.client(second, license_.key, hardware_id=THERE) as client:
        assert client.validate_offline().status == "HardwareMismatch"
    with vendor.target.client(third, license_.key, hardware_id=THERE) as client:
        assert client.validate().status == "ActivationRequired"
        with pytest.raises(SeatsExhaustedError):
            client.open()
        assert not (third / "license.bin").exists()


def check_an_online_license_needs_a_verdict(vendor: Vendor, folder: Path) -> None:
    """A file alone gives no grace period."""
    for model in ("Perpetual", "Floating", "MeteredToken", "MeteredCount"):
        license_ = vendor.issue(model, **EVERY_MODEL[model])
        place = folder / model
        place.mkdir(parents=True)
        (place / "license.bin").write_text(license_.file())
        with vendor.target.client(place, license_.key, hardware_id=HERE) as client:
            assert client.validate_offline().status == "OnlineRequired", model
            assert client.validate().status == "Valid"
            assert client.validate_offline().status == "GracePeriod"


def check_a_revocation_arrives(vendor: Vendor, folder: Path) -> None:
    """An Offline license is checked in the background; then its file is no longer taken."""
    license_ = vendor.issue("Subscription", expires=timedelta(days=30), activation_mode="Offline")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "license.bin").write_text(license_.file())
    license_.revoke()
    with vendor.target.client(folder, license_.key, hardware_id=HERE) as client:
        assert client.validate().status == "Valid", "the check takes no time of validate()"
    with vendor.target.client(folder, license_.key, hardware_id=HERE) as client:
        assert client.validate_offline().status == "Revoked"


def refused(client: Any, error: type[LicenseRefusedError] | type[Any], status: str) -> None:
    with pytest.raises(error) as caught:
        client.open()
    assert (caught.value.error_code, caught.value.result.status) == (status, status)
    assert type(caught.value) is error
    assert not isinstance(caught.value, ActivationRequiredError)

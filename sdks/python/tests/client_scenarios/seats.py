"""Activations and sessions through the SDK's client."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from client_scenarios.requests import HERE, THERE, device, statuses
from client_scenarios.target import Vendor
from licet import (
    ActivationRequiredError,
    ApprovalPendingError,
    DeviceBlockedError,
    HardwareMismatchError,
    LicenseRefusedError,
    LicetError,
    SeatsExhaustedError,
)

PATIENCE_S = 150.0


def check_a_client_claims_and_releases_a_seat(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("Concurrent", seats=1)
    with (
        vendor.target.client(folder / "a", license_.key, hardware_id=HERE) as here,
        vendor.target.client(folder / "b", license_.key, hardware_id=THERE) as there,
    ):
        first = here.activate(device_name="Desk 4", metadata={"room": "2"})
        assert (first.status, first.seats_used, first.seats_total) == ("Active", 1, 1)
        assert first.activated_at is not None
        assert here.activate() == first
        with pytest.raises(SeatsExhaustedError) as full:
            there.activate()
        assert (full.value.seats_used, full.value.seats_total) == (1, 1)
        here.deactivate()
        here.deactivate()
        assert there.activate()
        assert statuses(license_) == {THERE: "Active"}


def check_a_client_waits_for_approval(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("NodeLocked", binding_mode="OwnerApproval")
    with vendor.target.client(folder, license_.key, hardware_id=HERE) as client:
        waiting = client.activate()
        assert (waiting.status, waiting.pending, waiting.activated_at) == ("Pending", True, None)
        with pytest.raises(ApprovalPendingError):
            client.session().open()
        assert client.validate().status == "PendingApproval"
        device(license_).approve()
        assert client.activate().status == "Active"
        assert client.validate().valid


def check_errors_of_refusals(vendor: Vendor, folder: Path) -> None:
    bound, pool = vendor.issue("NodeLocked"), vendor.issue("Concurrent", seats=1)
    with (
        vendor.target.client(folder / "a", bound.key, hardware_id=HERE) as here,
        vendor.target.client(folder / "b", bound.key, hardware_id=THERE) as there,
        vendor.target.client(folder / "c", pool.key, hardware_id=HERE) as client,
    ):
        assert here.activate()
        with pytest.raises(HardwareMismatchError):
            there.session().open()
        with pytest.raises(ActivationRequiredError):
            client.session().open()
        assert client.activate()
        device(pool).block()
        for ask in (client.activate, client.deactivate, client.session().open):
            with pytest.raises(DeviceBlockedError):
                ask()
        pool.revoke()
        for ask in (client.activate, client.session().open):
            with pytest.raises(LicenseRefusedError) as refused:
                ask()
            assert refused.value.error_code == "LicenseInvalid"


def check_a_session_holds_a_seat(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("Floating", seats=1)
    with (
        vendor.target.client(folder / "a", license_.key, hardware_id=HERE) as here,
        vendor.target.client(folder / "b", license_.key, hardware_id=THERE) as there,
    ):
        with here.session() as session:
            assert session.alive
            assert (session.seats_used, session.seats_total) == (1, 1)
            assert session.expires_at is not None
            assert [seen.id for seen in license_.sessions] == [session.id]
            with pytest.raises(SeatsExhaustedError) as full:
                there.session().open()
            assert (full.value.seats_used, full.value.seats_total) == (1, 1)
        assert not license_.sessions
        with there.session() as session:
            assert session.alive


def check_a_session_detects_a_revocation(vendor: Vendor, folder: Path) -> None:
    with_short_sessions = vendor.with_short_sessions()
    license_ = with_short_sessions.issue("Floating", seats=1)
    heard: list[LicetError] = []
    lost = threading.Event()

    def on_lost(error: LicetError) -> None:
        heard.append(error)
        lost.set()

    with (
        with_short_sessions.target.client(folder, license_.key, hardware_id=HERE) as client,
        client.session(on_lost=on_lost) as session,
    ):
        license_.revoke()
        assert lost.wait(PATIENCE_S)
        assert not session.alive
        assert isinstance(heard[0], LicenseRefusedError)


def check_a_session_reconnects(vendor: Vendor, folder: Path) -> None:
    """A session ended by an operator reconnects at its next heartbeat."""
    with_short_sessions = vendor.with_short_sessions()
    license_ = with_short_sessions.issue("Floating", seats=1)
    with (
        with_short_sessions.target.client(folder, license_.key, hardware_id=HERE) as client,
        client.session() as session,
    ):
        first = session.id
        license_.sessions[0].disconnect()
        pause = threading.Event()
        for _ in range(int(PATIENCE_S / 0.05)):
            if session.id != first:
                break
            pause.wait(0.05)
        assert session.alive
        assert [seen.id for seen in license_.sessions] == [session.id] != [first]

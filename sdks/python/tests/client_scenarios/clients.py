"""Validation through the SDK's client."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from client_scenarios.requests import HERE, THERE, UNKNOWN_KEY
from client_scenarios.target import Vendor
from licet import ApiKeyRefusedError, Transport, TransportReply, TransportRequest
from licet._connections import Network


def check_a_valid_license(vendor: Vendor, folder: Path) -> None:
    """Online, refreshed plain and protected, then offline by its file."""
    key = vendor.issue("Perpetual").key
    with vendor.target.client(folder, key) as client:
        online = client.validate_online()
        assert online.status == "Valid", online.message
        assert client.refresh().status == "Valid"
        assert client.validate_offline().valid
    with vendor.target.client(folder, key, protect_file=True) as client:
        assert client.refresh().status == "Valid"
        assert (folder / "license.bin").read_text().count(".") == 4
        assert client.validate_offline().valid


def check_an_offline_license(vendor: Vendor, folder: Path) -> None:
    """The file is sufficient."""
    license_ = vendor.issue("Perpetual", activation_mode="Offline")
    (folder / "license.bin").write_text(license_.file(protected=True))
    with vendor.target.client(folder, license_.key) as client:
        assert client.validate_offline().status == "Valid"


def check_a_file_for_a_device(vendor: Vendor, folder: Path) -> None:
    license_ = vendor.issue("NodeLocked", activation_mode="Offline")
    (folder / "license.bin").write_text(license_.file(HERE))
    for machine, status in ((HERE, "Valid"), (THERE, "HardwareMismatch")):
        with vendor.target.client(folder, license_.key, hardware_id=machine) as client:
            assert client.validate_offline().status == status


def check_an_unknown_key(vendor: Vendor, folder: Path) -> None:
    with vendor.target.client(folder, UNKNOWN_KEY) as client:
        assert client.validate_online().status == "LicenseNotFound"
        assert client.refresh().status == "LicenseNotFound"


def check_a_wrong_api_key(vendor: Vendor, folder: Path) -> None:
    """A separate error, not an invalid license."""
    target = replace(vendor.target, api_key="pk_no_such_key")
    with (
        target.client(folder, vendor.issue("Perpetual").key) as client,
        pytest.raises(ApiKeyRefusedError),
    ):
        client.validate_online()


def check_a_stale_public_key(vendor: Vendor, folder: Path) -> None:
    """An application built before the product's keys were rotated."""
    target = replace(vendor.target, public_key=vendor.another_product().target.public_key)
    with target.client(folder, vendor.issue("Perpetual").key) as client:
        assert client.validate_online().status == "SignatureMismatch"


def check_a_node_locked_license(vendor: Vendor, folder: Path) -> None:
    """The first device is bound; every other is refused, even with a copied file."""
    license_, first, second = vendor.issue("NodeLocked"), folder / "first", folder / "second"
    with vendor.target.client(first, license_.key, hardware_id=HERE) as client:
        assert client.validate_online().status == "Valid"
        assert client.refresh().status == "Valid"
        assert client.validate_offline().valid
    second.mkdir()
    (second / "license.bin").write_bytes((first / "license.bin").read_bytes())
    with vendor.target.client(second, license_.key, hardware_id=THERE) as client:
        assert client.validate_offline().status == "HardwareMismatch"
        assert client.validate_online().status == "HardwareMismatch"


def check_a_revocation(vendor: Vendor, folder: Path) -> None:
    """A revocation takes effect at once and stays in effect offline."""
    license_ = vendor.issue("Perpetual")
    with vendor.target.client(folder, license_.key) as client:
        assert client.validate().valid
        license_.revoke()
        assert client.validate().status == "Revoked"
        assert client.refresh().status == "Revoked"
        assert client.validate_offline().status == "Revoked"


@dataclass
class RecordingTransport:
    """Sends every request and records the responses."""

    inner: Transport
    replies: list[TransportReply] = field(default_factory=list)

    def send(self, request: TransportRequest) -> TransportReply:
        self.replies.append(self.inner.send(request))
        return self.replies[-1]

    def close(self) -> None:
        self.inner.close()


def check_tracked_events_are_accepted(vendor: Vendor, folder: Path) -> None:
    license_, target = vendor.issue("Perpetual"), vendor.target
    inner = target.transport or Network(None, trust_env=False).connect()
    recording = RecordingTransport(inner)
    client = replace(target, transport=recording).client(folder, license_.key, telemetry=True)
    client.track("x" * 200, **{"k" * 80: "v" * 900, "big": 10**30, "inf": float("inf")})
    client.track("many", **{str(number): number for number in range(40)})
    client.close()
    for thread in threading.enumerate():  # a busy server may take longer than close() waits
        if thread.name == "licet-telemetry":
            thread.join(30)
    [reply] = recording.replies
    assert (reply.status, json.loads(reply.body)) == (202, {"accepted": 2})

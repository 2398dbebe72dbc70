"""Runs the SDK against a real server: plain functions that take its address and a product.

A suite that has a server at hand calls :func:`check_everything` with one license of each kind that
it can make; nothing here starts, or knows, a server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from licet import ApiKeyRefusedError, LicenseClient


@dataclass(frozen=True)
class Target:
    """A product on a running server."""

    base_url: str
    api_key: str
    product_id: str
    public_key: str

    def client(self, folder: Path, license_key: str, **options: Any) -> LicenseClient:
        return LicenseClient(
            product_id=self.product_id,
            public_key=self.public_key,
            api_key=self.api_key,
            server_base_endpoint=self.base_url,
            license_key=license_key,
            license_file=folder / "license.bin",
            **options,
        )


def check_valid_license(target: Target, folder: Path, license_key: str) -> None:
    """A license that needs no seat: online, refreshed plain and protected, then by its file."""
    with target.client(folder, license_key) as client:
        online = client.validate_online()
        assert online.status == "Valid", online.message
        assert client.refresh().status == "Valid"
        assert client.validate_offline().valid
    with target.client(folder, license_key, protect_file=True) as client:
        assert client.refresh().status == "Valid"
        assert (folder / "license.bin").read_text().count(".") == 4
        assert client.validate_offline().valid


def check_unknown_key(target: Target, folder: Path, license_key: str) -> None:
    """A key that the product does not have."""
    with target.client(folder, license_key) as client:
        assert client.validate_online().status == "LicenseNotFound"
        assert client.refresh().status == "LicenseNotFound"


def check_wrong_api_key(target: Target, folder: Path, license_key: str) -> None:
    """A product API key that does not exist is a fault of its own, not an invalid license."""
    stranger = Target(target.base_url, "pk_no_such_key", target.product_id, target.public_key)
    with stranger.client(folder, license_key) as client:
        try:
            client.validate_online()
        except ApiKeyRefusedError:
            return
    raise AssertionError("the product API key was not refused")


def check_stale_public_key(
    target: Target, folder: Path, license_key: str, stale_public_key: str
) -> None:
    """An application built before the product's keys were rotated."""
    stale = Target(target.base_url, target.api_key, target.product_id, stale_public_key)
    with stale.client(folder, license_key) as client:
        assert client.validate_online().status == "SignatureMismatch"


def check_node_locked(target: Target, folder: Path, license_key: str) -> None:
    """An AutoBind license: the first machine gets it, every other is refused."""
    first, second = folder / "first", folder / "second"
    with target.client(first, license_key, hardware_id="h1m-conformance-1") as client:
        assert client.validate_online().status == "Valid"
        assert client.refresh().status == "Valid"
        assert client.validate_offline().valid
    second.mkdir()
    (second / "license.bin").write_bytes((first / "license.bin").read_bytes())
    with target.client(second, license_key, hardware_id="h1m-conformance-2") as client:
        assert client.validate_offline().status == "HardwareMismatch"
        assert client.validate_online().status == "HardwareMismatch"


def check_revocation(
    target: Target, folder: Path, license_key: str, revoke: Callable[[], object]
) -> None:
    """A revocation counts at once, and outlives the connection."""
    with target.client(folder, license_key) as client:
        assert client.validate().valid
        revoke()
        assert client.validate().status == "Revoked"
        assert client.refresh().status == "Revoked"
        assert client.validate_offline().status == "Revoked"


def check_derived_key(derived_key: str, license_key: str, salt: str) -> None:
    """What the server's derive-key route answered, against the SDK's own derivation."""
    from licet._jose import decode_segment, derive_file_key
    from licet._keys import normal_form

    assert decode_segment(derived_key) == derive_file_key(
        normal_form(license_key), decode_segment(salt)
    )


def check_everything(
    target: Target, folder: Path, *, valid_key: str, unknown_key: str, node_locked_key: str
) -> None:
    """All that needs no operator."""
    for name, check, key in [
        ("valid", check_valid_license, valid_key),
        ("unknown", check_unknown_key, unknown_key),
        ("wrong-api-key", check_wrong_api_key, valid_key),
        ("node-locked", check_node_locked, node_locked_key),
    ]:
        (folder / name).mkdir()
        check(target, folder / name, key)

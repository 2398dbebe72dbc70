"""The conformance checks, tried on this suite's own double of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from licet_conformance import (
    Target,
    check_node_locked,
    check_revocation,
    check_stale_public_key,
    check_unknown_key,
    check_valid_license,
    check_wrong_api_key,
)
from licet_testkit import (
    API_KEY,
    LICENSE_KEY,
    PRODUCT,
    PUBLIC_KEY,
    FakeClock,
    LicenseServer,
    Vendor,
    as_json,
)

from licet._clock import system_clock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(system_clock())


@pytest.fixture
def target(server: LicenseServer) -> Target:
    return Target(server.base, API_KEY, PRODUCT, PUBLIC_KEY)


def test_checks_pass(target: Target, tmp_path: Path, server: LicenseServer) -> None:
    check_valid_license(target, tmp_path, LICENSE_KEY)
    check_wrong_api_key(target, tmp_path, LICENSE_KEY)
    check_revocation(target, tmp_path, LICENSE_KEY, lambda: setattr(server, "status", "Revoked"))
    server.status = "LicenseNotFound"
    check_unknown_key(target, tmp_path, "no-such-license-key-1")


def test_stale_key(target: Target, tmp_path: Path, vendor: Vendor) -> None:
    stale = vendor.stale.as_pem(private=False).decode()
    check_stale_public_key(target, tmp_path, LICENSE_KEY, stale)


def test_node_locked(
    target: Target, tmp_path: Path, server: LicenseServer, vendor: Vendor, clock: FakeClock
) -> None:
    def validate(body: dict[str, Any]) -> Any:
        status = "Valid" if body["hardwareId"].endswith("-1") else "HardwareMismatch"
        return as_json({"token": vendor.verdict(body, clock.now, status=status)})

    server.on_validate = validate
    server.file_terms = {"type": "NodeLocked", "claims": {"hardwareIds": ["h1m-conformance-1"]}}
    check_node_locked(target, tmp_path, LICENSE_KEY)

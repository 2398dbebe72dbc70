"""Licenses of Test products, which only an application's own tests accept."""

from __future__ import annotations

from pathlib import Path

import pytest

from licet import LicenseClient, LicenseRefusedError
from licet.testing import FakeServer


def test_what_test_mode_has_stored_is_refused_without_it_and_kept(tmp_path: Path) -> None:
    server = FakeServer(mode="Test")
    license_ = server.issue("Subscription")
    with server.client(license_, folder=tmp_path, test_mode=True) as client:
        license_terms = client.validate().license
        assert license_terms is not None
        assert license_terms.test
        assert client.validate_offline().status == "GracePeriod"
    stored = (tmp_path / "license.bin").read_bytes()
    with server.client(license_, folder=tmp_path) as client:
        results = [client.validate_offline(), client.validate(), client.validate_online()]
        results.append(client.refresh())
        server.go_offline()
        results.append(client.validate())
    assert {result.status for result in results} == {"TestLicense"}
    assert {result.message for result in results} == {
        "The license is only for tests. Contact the vendor."
    }
    assert (tmp_path / "license.bin").read_bytes() == stored
    with server.client(license_, folder=tmp_path, test_mode=True) as client:
        assert client.validate_offline().status == "GracePeriod"


def test_an_application_that_ships_does_not_open_one(tmp_path: Path) -> None:
    server = FakeServer(mode="Test")
    license_ = server.issue("Floating", seats=1)
    with (
        server.client(license_, folder=tmp_path) as client,
        pytest.raises(LicenseRefusedError) as refused,
    ):
        client.open()
    assert refused.value.error_code == "TestLicense"
    assert "test_mode=True" in refused.value.hint
    assert license_.sessions == []


def test_a_revoked_test_license_is_refused_as_one_for_tests(tmp_path: Path) -> None:
    server = FakeServer(mode="Test")
    license_ = server.issue("Perpetual")
    license_.revoke()
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate_online().status == "TestLicense"
    with server.client(license_, folder=tmp_path, test_mode=True) as client:
        assert client.validate_online().status == "Revoked"


def test_a_settings_file_cannot_turn_test_mode_on(tmp_path: Path) -> None:
    server = FakeServer(mode="Test")
    license_ = server.issue("Perpetual")
    for name in ("TestMode", "testMode", "test_mode"):
        (tmp_path / "licet.json").write_text(f'{{"{name}": true}}')
        options = server.options(license_, folder=tmp_path)
        with LicenseClient.from_settings(
            folder=tmp_path, transport=server.transport, **options
        ) as client:
            assert client.validate_online().status == "TestLicense"

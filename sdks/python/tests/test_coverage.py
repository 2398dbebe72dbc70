"""Maintenance and fallback: one table, for license.bin and for the fake server."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import PUBLIC_KEY, VECTORS, FakeClock

from licet import LicenseClient, LicenseValidationStatus, RequestRefusedError
from licet.testing import FakeServer
from licet.testing._coverage import fallback_until
from licet.testing._issue import LicenseDraft, make_license
from licet.testing._rules import ValidationRequest, evaluate, in_fallback
from licet.testing._state import PublishedRelease

CASES = json.loads((VECTORS / "coverage.json").read_text())["cases"]
DAY = timedelta(days=1)


def time(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_license_bin(case: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "license.bin").write_text(case["file"])
    with LicenseClient(
        product_id=case["productId"],
        public_key=PUBLIC_KEY,
        license_file=tmp_path / "license.bin",
        hardware_id=case["hardwareId"],
        app_version=case["appVersion"],
        app_released_at=time(case["appReleasedAt"]),
        clock=FakeClock(datetime.fromisoformat(case["at"])),
    ) as client:
        result = client.validate_offline()
    assert (result.valid, result.status) == tuple(case["expected"].values()), result.message
    assert (result.in_fallback, result.updates_until) == (
        case["inFallback"],
        time(case["updatesUntil"]),
    )
    if case["appVersion"] is None:
        covers = result.covers(datetime.fromisoformat(case["appReleasedAt"]))
        assert covers is (result.status != LicenseValidationStatus.ReleaseNotAllowed)
    assert not result.valid or "expire" not in result.message.lower()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_fake(case: dict[str, Any]) -> None:
    terms, bought = case["license"], datetime.fromisoformat(case["boughtAt"])
    draft = LicenseDraft(
        expires=time(terms["expirationDate"]),
        grace=terms["graceDays"] * DAY,
        updates=time(terms["updatesUntil"]),
        fallback=terms["fallback"],
        fallback_after_months=terms["fallbackAfterMonths"],
    )
    license_ = make_license("Subscription" if draft.expires else "Perpetual", draft, bought)
    version, at = case["appVersion"] or "2.4.0", datetime.fromisoformat(case["at"])
    released = datetime.fromisoformat(case["appReleasedAt"])
    release = PublishedRelease("1", version, "Stable", None, released, ())
    status = evaluate(license_, "2.4.0", release, ValidationRequest(app_version=version), at)
    assert status == case["expected"]["status"]
    assert fallback_until(license_) == time(case["fallbackUntil"])
    assert in_fallback(license_, at) is case["inFallback"]


def test_a_lapsed_subscription_goes_on_with_what_it_keeps(tmp_path: Path) -> None:
    server = FakeServer(release_version="1.0.0")
    server.publish("1.5.0")
    terms: dict[str, Any] = {"expires": 365 * DAY, "fallback": "ReleaseAtTermEnd"}
    floating = server.issue(
        "Floating", seats=1, metadata={"renewUrl": "https://a.example"}, **terms
    )
    counted = server.issue("MeteredCount", **terms)
    server.advance(days=366)
    server.publish("1.6.0")
    server.publish("1.5.1", coverage="Everyone")
    options: dict[str, Any] = {"app_version": "1.5.0", "folder": tmp_path}
    with server.client(floating, **options) as client, client.session() as session:
        result = client.validate_online()
        assert (result.valid, result.in_fallback, session.alive) == (True, True, True)
        assert result.license is not None
        assert result.license.expiration_date is None
        update = client.check_for_update()
        assert (update.available, update.version) == (True, "1.5.1")
        assert update.newer is not None
        assert (update.newer.version, update.newer.reason, update.newer.renew_url) == (
            "1.6.0",
            "MaintenanceEnded",
            "https://a.example",
        )
    with server.client(floating, **{**options, "app_version": "1.6.0"}) as client:
        assert client.validate_online().status == "ReleaseNotAllowed"
    with server.client(counted, **options) as client:
        with pytest.raises(RequestRefusedError) as refused:
            client.consume("export")
        assert refused.value.error_code == "LicenseExpired"
    floating.renew(400 * DAY)
    with server.client(floating, **{**options, "app_version": "1.6.0"}) as client:
        renewed = client.validate_online()
        assert (renewed.valid, renewed.in_fallback) == (True, False)
        assert client.check_for_update().newer is None


def test_a_renewal_of_updates_covers_what_was_published_since(tmp_path: Path) -> None:
    server = FakeServer()
    license_ = server.issue("Perpetual", updates=30 * DAY)
    server.advance(days=31)
    server.publish("1.1.0")
    options: dict[str, Any] = {"app_version": "1.1.0", "folder": tmp_path}
    with server.client(license_, **options) as client:
        assert client.validate_online().status == "ReleaseNotAllowed"
        license_.renew_updates(timedelta(0))
        result = client.validate_online()
        assert (result.status, result.updates_until) == ("Valid", license_.updates_until)

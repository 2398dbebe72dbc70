"""The table of the published vectors, on which server, fake and SDKs agree."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from licet_server.catalog.rules.model import ReleaseStatus
from licet_server.catalog.rules.releases import PublishedVersion
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import ActivationMode, License, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.validation.rules.verdict import is_covered_release

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
CASES = json.loads((VECTORS / "coverage.json").read_text())["cases"]


def time(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def test_the_server_decides_as_the_vectors_say() -> None:
    for case in CASES:
        license_ = bought(case)
        now = datetime.fromisoformat(case["at"])
        version = case["appVersion"] or "2.4.0"
        released = datetime.fromisoformat(case["appReleasedAt"])
        release = PublishedVersion(
            UUID(int=9), version, "Stable", ReleaseStatus.PUBLISHED, released
        )
        found = (status(license_, version, release, now), license_.in_fallback(now))
        assert found == (case["expected"]["status"], case["inFallback"]), case["name"]
        assert license_.fallback_until == time(case["fallbackUntil"]), case["name"]


def status(license_: License, version: str, release: PublishedVersion, now: datetime) -> str:
    if license_.status(now) is not LicenseStatus.ACTIVE:
        return str(license_.status(now))
    is_covered = is_covered_release(license_, "2.4.0", version, release, now)
    return "Valid" if is_covered else "ReleaseNotAllowed"


def bought(case: dict[str, Any]) -> License:
    terms, at = case["license"], datetime.fromisoformat(case["boughtAt"])
    has_end = terms["expirationDate"] is not None
    return License(
        institution_id=UUID(int=1),
        id=UUID(int=2),
        product_id=UUID(int=3),
        software_release_id=UUID(int=4),
        customer_id=None,
        type=LicenseType.SUBSCRIPTION if has_end else LicenseType.PERPETUAL,
        license_key="K",
        normal_key="K",
        license_name="L",
        activation_mode=ActivationMode.OFFLINE,
        device_binding_mode=None,
        created_at=at,
        updated_at=at,
        expiration_date=time(terms["expirationDate"]),
        grace_days=terms["graceDays"],
        updates_until=time(terms["updatesUntil"]),
        fallback=Fallback(terms["fallback"]),
        fallback_after_months=terms["fallbackAfterMonths"],
    )

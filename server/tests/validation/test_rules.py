"""The verdict as a pure function: order of the rules, and every status there is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet_server.licenses.rules.model import ActivationMode, License
from licet_server.licenses.rules.traits import LicenseType
from licet_server.validation.rules import (
    Circumstances,
    Credentials,
    Snapshot,
    ValidationStatus,
    decide,
    is_release_allowed,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LICENSE = License(
    institution_id=UUID(int=1),
    id=UUID(int=2),
    product_id=UUID(int=3),
    software_release_id=UUID(int=4),
    customer_institution_id=None,
    type=LicenseType.PERPETUAL,
    license_key="K",
    normal_key="K",
    license_name="L",
    issued_to=None,
    issuer=None,
    expiration_date=None,
    max_active_users_count=None,
    activation_mode=ActivationMode.ONLINE,
    device_binding_mode=None,
    entitlement_set_id=None,
    initial_meter_balance=None,
    username=None,
    password_hash=None,
    notes=None,
    metadata={},
    created_at=NOW,
    updated_at=NOW,
    suspended_at=None,
    revoked_at=None,
)

BREAKERS = {
    ValidationStatus.REVOKED: {"revoked_at": NOW},
    ValidationStatus.SUSPENDED: {"suspended_at": NOW},
    ValidationStatus.EXPIRED: {"expiration_date": NOW},
    ValidationStatus.CREDENTIALS_REQUIRED: {"username": "u"},
    ValidationStatus.HARDWARE_ID_REQUIRED: {"type": LicenseType.NODE_LOCKED},
}


def test_an_unknown_key_is_not_found() -> None:
    verdict = decide(Snapshot(None, None, None), Circumstances(NOW))
    assert (verdict.valid, verdict.status) == (False, ValidationStatus.LICENSE_NOT_FOUND)


def test_nothing_wrong_is_valid() -> None:
    verdict = decide(Snapshot(LICENSE, None, "1.0.0"), Circumstances(NOW))
    assert verdict.valid
    assert all(result.passed for result in verdict.results)


@given(st.sets(st.sampled_from(list(BREAKERS)), min_size=1))
def test_the_first_broken_rule_decides_and_all_are_shown(broken: set[ValidationStatus]) -> None:
    changes = {name: value for status in broken for name, value in BREAKERS[status].items()}
    verdict = decide(Snapshot(replace(LICENSE, **changes), None, "1.0.0"), Circumstances(NOW))
    assert verdict.status is next(status for status in BREAKERS if status in broken)
    shown = {result.status for result in verdict.results if not result.passed}
    hidden = {ValidationStatus.EXPIRED} if ValidationStatus.REVOKED in broken else set()
    assert broken - hidden <= shown
    assert len(verdict.results) == 10


def test_a_term_is_over_at_its_very_instant() -> None:
    ended = Snapshot(replace(LICENSE, expiration_date=NOW), None, None)
    assert not decide(ended, Circumstances(NOW)).valid
    assert decide(ended, Circumstances(NOW - timedelta(microseconds=1))).valid


@pytest.mark.parametrize(
    ("credentials", "status"),
    [
        (Credentials.ABSENT, ValidationStatus.CREDENTIALS_REQUIRED),
        (Credentials.DO_NOT_FIT, ValidationStatus.CREDENTIALS_INVALID),
        (Credentials.FIT, ValidationStatus.VALID),
        (Credentials.NOT_CHECKED, ValidationStatus.VALID),
    ],
)
def test_credentials(credentials: Credentials, status: ValidationStatus) -> None:
    guarded = Snapshot(replace(LICENSE, username="u"), None, None)
    assert decide(guarded, Circumstances(NOW, credentials=credentials)).status is status


@pytest.mark.parametrize(
    ("release", "app", "allowed"),
    [
        ("2.1.0", "2.9.9", True),
        ("2.1.0", "1.0.0", True),
        ("2.1.0", "3.0.0", False),
        ("2.1.0", "3.0.0-beta.1", False),
        ("v2.1.0", "v3.0.0", False),
        ("2.1.0", "build 3000", True),
        ("2024-R2", "3.0.0", True),
        ("2.1", "3.0", True),
        (None, "3.0.0", True),
        ("2.1.0", None, True),
    ],
)
def test_the_version_line(release: str | None, app: str | None, allowed: bool) -> None:
    assert is_release_allowed(release, app) is allowed
    status = decide(Snapshot(LICENSE, None, release), Circumstances(NOW, app_version=app)).status
    assert (status is ValidationStatus.VALID) is allowed

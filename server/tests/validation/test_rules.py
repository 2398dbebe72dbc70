"""The verdict as a pure function: the order of the rules, and every status."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from licet_server.licenses.rules.model import ActivationMode, License
from licet_server.licenses.rules.runtime import CredentialsCheck
from licet_server.licenses.rules.traits import LicenseType
from licet_server.validation.rules import messages
from licet_server.validation.rules.model import (
    Snapshot,
    ValidationContext,
    ValidationStatus,
)
from licet_server.validation.rules.verdict import (
    RULES,
    decide,
    explain,
    is_release_allowed,
    status_of,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LICENSE = License(
    institution_id=UUID(int=1),
    id=UUID(int=2),
    product_id=UUID(int=3),
    software_release_id=UUID(int=4),
    customer_institution_id=None,
    customer_id=None,
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
    ValidationStatus.CREDENTIALS_REQUIRED: {"username": "u"},
    ValidationStatus.REVOKED: {"revoked_at": NOW},
    ValidationStatus.SUSPENDED: {"suspended_at": NOW},
    ValidationStatus.EXPIRED: {"expiration_date": NOW},
    ValidationStatus.HARDWARE_ID_REQUIRED: {"type": LicenseType.NODE_LOCKED},
}


def snapshot(release_version: str | None = "1.0.0", **changes: Any) -> Snapshot:
    return Snapshot(license=replace(LICENSE, **changes), release_version=release_version)


def test_a_license_that_passes_every_rule_is_valid() -> None:
    assert decide(snapshot(), ValidationContext(now=NOW)).valid
    assert all(result.passed for result in explain(snapshot(), ValidationContext(now=NOW)))


@pytest.mark.specification("runtime.validate")
@given(st.sets(st.sampled_from(list(BREAKERS)), min_size=1))
def test_the_first_failing_rule_decides_and_an_explanation_shows_all(
    broken: set[ValidationStatus],
) -> None:
    changes = {name: value for status in broken for name, value in BREAKERS[status].items()}
    context = ValidationContext(now=NOW)
    verdict, results = decide(snapshot(**changes), context), explain(snapshot(**changes), context)
    first = next(result for result in results if not result.passed)
    assert (verdict.status, verdict.message) == (first.status, first.detail)
    assert verdict.status is status_of(results)
    assert verdict.status is next(status for status in BREAKERS if status in broken)
    assert {result.status for result in results if not result.passed} == broken
    assert [result.rule for result in results] == ["LicenseExists", *(rule.name for rule in RULES)]


def test_validation_checks_no_rule_after_the_first_failure() -> None:
    revoked = snapshot(revoked_at=NOW, type=LicenseType.NODE_LOCKED)
    assert decide(revoked, ValidationContext(now=NOW)).status is ValidationStatus.REVOKED
    assert "state" not in vars(revoked)


@pytest.mark.specification("states.expired")
def test_a_term_ends_at_its_exact_instant() -> None:
    ended = snapshot(expiration_date=NOW)
    assert not decide(ended, ValidationContext(now=NOW)).valid
    assert decide(ended, ValidationContext(now=NOW - timedelta(microseconds=1))).valid


def test_a_grace_ends_at_its_exact_instant() -> None:
    ends = NOW - timedelta(days=7)
    graced = snapshot(expiration_date=ends, grace_days=7)
    assert not decide(graced, ValidationContext(now=NOW)).valid
    last = ValidationContext(now=NOW - timedelta(microseconds=1))
    assert decide(graced, last).message == messages.VALID_IN_GRACE.format(NOW)
    before = ValidationContext(now=ends - timedelta(microseconds=1))
    assert decide(graced, before).message == messages.VALID
    for moment in (last, before):
        assert explain(graced, moment)[4].passed


@pytest.mark.specification("models.perpetual-credentials")
@pytest.mark.parametrize(
    ("credentials", "status"),
    [
        (CredentialsCheck.MISSING, ValidationStatus.CREDENTIALS_REQUIRED),
        (CredentialsCheck.WRONG, ValidationStatus.CREDENTIALS_INVALID),
        (CredentialsCheck.CORRECT, ValidationStatus.VALID),
        (CredentialsCheck.NOT_CHECKED, ValidationStatus.VALID),
    ],
)
def test_credentials(credentials: CredentialsCheck, status: ValidationStatus) -> None:
    context = ValidationContext(now=NOW, credentials=credentials)
    assert decide(snapshot(username="u"), context).status is status


@pytest.mark.specification("releases.version-line")
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
        ("2.1", "3.0", False),
        ("2.1.0", "2.9.9.9", True),
        (None, "3.0.0", True),
        ("2.1.0", None, True),
    ],
)
def test_the_version_line(release: str | None, app: str | None, allowed: bool) -> None:
    assert is_release_allowed(release, app) is allowed
    context = ValidationContext(now=NOW, app_version=app)
    status = decide(snapshot(release), context).status
    assert (status is ValidationStatus.VALID) is allowed

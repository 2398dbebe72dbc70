"""Which releases a license covers, by release, term and fallback; and a clock changes nothing."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from licet_server.catalog.rules.model import Coverage, ReleaseStatus
from licet_server.catalog.rules.releases import PublishedVersion, release_of
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.entitlements import NOT_RESTRICTED
from licet_server.licenses.rules.file import FileContext, file_claims
from licet_server.licenses.rules.model import ActivationMode, License, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import with_end
from licet_server.validation.rules.verdict import is_covered_release

BOUGHT = datetime(2030, 1, 1, tzinfo=UTC)
YEAR, DAY, TICK = timedelta(days=365), timedelta(days=1), timedelta(microseconds=1)
ENDS = BOUGHT + YEAR
END, START, NONE = Fallback.RELEASE_AT_TERM_END, Fallback.RELEASE_AT_TERM_START, Fallback.NONE

PERPETUAL = License(
    institution_id=UUID(int=1),
    id=UUID(int=2),
    product_id=UUID(int=3),
    software_release_id=UUID(int=4),
    customer_id=None,
    type=LicenseType.PERPETUAL,
    license_key="K",
    normal_key="K",
    license_name="L",
    activation_mode=ActivationMode.ONLINE,
    device_binding_mode=None,
    created_at=BOUGHT,
    updated_at=BOUGHT,
)
SUBSCRIPTION = replace(PERPETUAL, type=LicenseType.SUBSCRIPTION, expiration_date=ENDS)


def published(at: datetime, version: str = "1.5.0", **fields: Coverage) -> PublishedVersion:
    return PublishedVersion(UUID(int=9), version, "Stable", ReleaseStatus.PUBLISHED, at, **fields)


BEFORE, DURING, AT_END, AFTER = BOUGHT, BOUGHT + 100 * DAY, ENDS, ENDS + TICK


@pytest.mark.parametrize(
    ("license_", "covered"),
    [
        (PERPETUAL, [BEFORE, DURING, AT_END, AFTER]),
        (replace(PERPETUAL, updates_until=ENDS), [BEFORE, DURING, AT_END]),
        (replace(PERPETUAL, updates_until=BOUGHT), [BEFORE]),
        (replace(SUBSCRIPTION, fallback=END), [BEFORE, DURING, AT_END]),
        (replace(SUBSCRIPTION, fallback=START), [BEFORE]),
        (replace(SUBSCRIPTION, fallback=END, updates_until=DURING), [BEFORE, DURING]),
        (replace(SUBSCRIPTION, fallback=START, updates_until=ENDS), [BEFORE]),
    ],
)
def test_a_license_covers_releases_until_its_cut_off(
    license_: License, covered: list[datetime]
) -> None:
    for year in (2032, 2099):
        now = datetime(year, 1, 1, tzinfo=UTC)
        assert license_.status(now) is LicenseStatus.ACTIVE
        releases = [published(at) for at in (BEFORE, DURING, AT_END, AFTER)]
        found = [
            item.published_at
            for item in releases
            if is_covered_release(license_, "1.0.0", item.version, item, now)
        ]
        assert found == covered
        fix = published(AFTER, coverage=Coverage.EVERYONE)
        assert is_covered_release(license_, "1.0.0", fix.version, fix, now)


@pytest.mark.parametrize(
    ("months", "days", "earned"),
    [
        (12, 365, True),
        (12, 366, True),
        (12, 330, False),
        (1, 28, True),
        (1, 20, False),
        (0, 1, True),
        (24, 365, False),
        (24, 730, True),
    ],
)
@pytest.mark.parametrize("fallback", [END, START])
def test_a_fallback_is_earned_by_the_months_that_were_paid_for(
    fallback: Fallback, months: int, days: int, earned: bool
) -> None:
    license_ = replace(
        SUBSCRIPTION,
        expiration_date=BOUGHT + days * DAY,
        grace_days=7,
        fallback=fallback,
        fallback_after_months=months,
    )
    over = BOUGHT + (days + 7) * DAY
    assert license_.in_grace_until(over - TICK) == over
    assert not license_.in_fallback(over - TICK)
    assert license_.in_fallback(over) is earned
    assert license_.status(over) is (LicenseStatus.ACTIVE if earned else LicenseStatus.EXPIRED)
    assert license_.in_grace_until(over) is None
    cut_off = {END: BOUGHT + days * DAY, START: BOUGHT}[fallback]
    assert license_.fallback_until == (cut_off if earned else None)


def test_without_a_fallback_a_term_just_ends() -> None:
    assert SUBSCRIPTION.status(ENDS) is LicenseStatus.EXPIRED
    assert SUBSCRIPTION.fallback_until is None
    assert not SUBSCRIPTION.in_fallback(ENDS)


def test_renewals_in_a_row_count_together_and_a_gap_starts_over() -> None:
    monthly = replace(SUBSCRIPTION, expiration_date=BOUGHT + 31 * DAY, fallback=END)
    for month in range(2, 13):
        assert monthly.fallback_until is None
        end = BOUGHT + 31 * month * DAY
        monthly = with_end(monthly, end, end - 32 * DAY)
    paid_until = monthly.expiration_date
    assert paid_until is not None
    assert monthly.fallback_until == paid_until
    starts = replace(monthly, fallback=START)
    assert starts.fallback_until == paid_until - YEAR
    late = paid_until + 100 * DAY
    lapsed = with_end(monthly, late + 31 * DAY, late)
    assert (lapsed.paid_since, lapsed.fallback_until) == (late, None)


def test_a_longer_term_begins_where_the_last_one_ended() -> None:
    renewed = with_end(replace(SUBSCRIPTION, fallback=START), ENDS + YEAR, ENDS - 30 * DAY)
    assert renewed.fallback_until == ENDS


def test_nothing_is_kept_of_a_revoked_or_suspended_license() -> None:
    kept = replace(SUBSCRIPTION, fallback=END)
    assert not replace(kept, revoked_at=ENDS).in_fallback(ENDS)
    assert not replace(kept, suspended_at=ENDS).in_fallback(ENDS)
    assert replace(kept, suspended_at=ENDS).status(ENDS) is LicenseStatus.SUSPENDED


def test_the_major_version_decides_only_without_maintenance() -> None:
    second = published(DURING, "2.0.0")
    maintained = replace(PERPETUAL, updates_until=ENDS)
    assert is_covered_release(maintained, "1.0.0", "2.0.0", second, BOUGHT)
    assert not is_covered_release(maintained, "1.0.0", "2.0.0", None, BOUGHT)
    assert not is_covered_release(PERPETUAL, "1.0.0", "2.0.0", second, BOUGHT)
    kept = replace(SUBSCRIPTION, fallback=END)
    assert not is_covered_release(kept, "1.0.0", "2.0.0", second, AFTER)


def test_a_version_is_found_in_any_spelling_and_channel() -> None:
    first, fix = published(DURING, "1.5"), published(AFTER, "v1.5.0", coverage=Coverage.EVERYONE)
    found = release_of(" 1.5.0 ", [fix, first])
    assert found is not None
    assert (found.published_at, found.coverage) == (DURING, Coverage.EVERYONE)
    assert release_of("1.5.1", [first, fix]) is None
    assert release_of("Spring", [published(DURING, "spring")]) is not None


def test_a_file_ends_for_what_does_not_know_of_fallbacks_and_lasts_for_what_does() -> None:
    context = FileContext("issuer", "Aurora", "1.0.0", NOT_RESTRICTED, None, None)

    def claims_at(license_: License, now: datetime) -> dict[str, object]:
        found = file_claims(license_, context, UUID(int=5), now)
        told = found["license"]
        assert isinstance(told, dict)
        names = ("expirationDate", "updatesUntil", "fallbackUntil", "inFallback")
        return {"exp": found.get("exp"), **{name: told[name] for name in names}}

    kept = replace(SUBSCRIPTION, fallback=END)
    end = "2031-01-01T00:00:00Z"
    fallback = {"exp": None, "updatesUntil": None, "fallbackUntil": end}
    assert claims_at(kept, BOUGHT) == {**fallback, "expirationDate": end, "inFallback": False}
    assert claims_at(kept, ENDS) == {**fallback, "expirationDate": None, "inFallback": True}
    assert claims_at(SUBSCRIPTION, BOUGHT)["exp"] == int(ENDS.timestamp())
    seated = replace(kept, type=LicenseType.CONCURRENT, activation_mode=ActivationMode.OFFLINE)
    assert claims_at(seated, BOUGHT)["exp"] == int(ENDS.timestamp())
    maintained = claims_at(replace(PERPETUAL, updates_until=ENDS), BOUGHT)
    assert maintained == {
        "exp": None, "expirationDate": None, "updatesUntil": end, "fallbackUntil": None,
        "inFallback": False,
    }  # fmt: skip

"""The status of a license in Python and in SQL is the same for every combination of dates."""

from datetime import timedelta
from itertools import product as combinations
from uuid import UUID

from licenses.factories import issue, make_product
from msgspec.structs import replace
from testkit import FakeClock, Owner

from licet_server.kit.ids import new_id
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import (
    INACTIVE,
    License,
    LicenseFilter,
    LicenseId,
    LicenseStatus,
)
from licet_server.licenses.storage import lists, records, statistics, terms

KEPT = Fallback.RELEASE_AT_TERM_END


async def test_python_and_sql_agree(owner: Owner, platform: Platform, clock: FakeClock) -> None:
    issued = await issue(owner, await make_product(owner))
    now, visibility = clock(), Visibility((UUID(owner.institution_id),))
    tick, day = timedelta(microseconds=1), timedelta(days=1)
    ends = [now - tick, now, now + tick]
    instants = [None, *ends, *(end - 7 * day for end in ends)]
    licenses: list[License] = []
    async with platform.database.transaction() as db:
        original = await records.fetch_license(db, visibility, UUID(issued["id"]))
        assert original is not None
        fallbacks = [(Fallback.NONE, 0), (KEPT, 0), (KEPT, 12), (KEPT, 13)]
        for revoked, suspended, expiration, grace, (fallback, months) in combinations(
            [None, now], [None, now], instants, [0, 7], fallbacks
        ):
            license_ = replace(
                original,
                id=new_id(now),
                normal_key=f"imported-{len(licenses)}",
                revoked_at=revoked,
                suspended_at=suspended,
                expiration_date=expiration,
                grace_days=grace,
                fallback=fallback,
                fallback_after_months=months,
                paid_since=now - 365 * day,
            )
            await records.insert_licenses(db, [license_])
            licenses.append(license_)
        await records.delete_license(db, original)
        for status in LicenseStatus:
            expected = {item.id for item in licenses if item.status(now) is status}
            found = await lists.list_licenses(
                db, visibility, LicenseFilter(status=status), Paging(page_size=200), now
            )
            assert {item.id for item in found.items} == expected, status
            assert expected, status
        for item in (await terms.fetch_terms(db, [item_id(each) for each in licenses])).values():
            [stored] = [each for each in licenses if each.id == item.id]
            assert item.status(now) is stored.status(now)
            assert item.valid_until == stored.valid_until
        groups = await statistics.count_groups(db, visibility, now)
    counted = {group.status: group.count for group in groups}
    assert counted == {
        status: sum(item.status(now) is status for item in licenses) for status in LicenseStatus
    }


def item_id(license_: License) -> LicenseId:
    return (license_.institution_id, license_.id)


def test_every_status_but_active_has_a_condition() -> None:
    assert {*INACTIVE, LicenseStatus.ACTIVE} == set(LicenseStatus)

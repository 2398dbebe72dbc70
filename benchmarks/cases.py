"""Requests for the list of licenses: every page, filter, sort and search."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.kit.paging import Paging
from licet_server.licenses.rules.model import LicenseFilter, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType

LAST_PAGE = 400
STUDIO = UUID("01900000-0000-7000-8000-00000000000a")
_SORTS = ("createdAt", "licenseName", "expirationDate", "issuedTo", "type")
_EVERYTHING, _FIRST_PAGE = LicenseFilter(), Paging()


@dataclass(frozen=True, slots=True)
class Facts:
    """Values that the cases search for, read from the database."""

    key: str
    recipient: str
    middle: UUID
    rows: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Case:
    """One request for the list."""

    name: str
    chosen: LicenseFilter = _EVERYTHING
    paging: Paging = _FIRST_PAGE


def all_cases(facts: Facts) -> Iterator[Case]:
    """Yield each case for the first page and for the last possible page."""
    yield Case("no filter")
    yield Case("no filter, last page", paging=Paging(LAST_PAGE))
    for name in _SORTS:
        for sort in (name, f"-{name}"):
            yield Case(f"sort {sort}", paging=Paging(sort=sort))
            yield Case(f"sort {sort}, last page", paging=Paging(LAST_PAGE, sort=sort))
    for name, chosen in {**_filters(facts), **_combinations(facts), **_searches(facts)}.items():
        yield Case(name, chosen)
        yield Case(f"{name}, last page", chosen, Paging(LAST_PAGE))
    yield from _sorted_filters(facts)
    yield Case("walk, from the start", paging=Paging(after=UUID(int=0)))
    yield Case("walk, in the middle", paging=Paging(page_size=100, after=facts.middle))
    revoked = LicenseFilter(status=LicenseStatus.REVOKED)
    yield Case("walk, revoked, in the middle", revoked, Paging(page_size=100, after=facts.middle))
    found = LicenseFilter(search="miller studio")
    yield Case("walk, search, in the middle", found, Paging(page_size=100, after=facts.middle))


def _filters(facts: Facts) -> dict[str, LicenseFilter]:
    return {
        **{f"status {status}": LicenseFilter(status=status) for status in LicenseStatus},
        "type Perpetual": LicenseFilter(type=LicenseType.PERPETUAL),
        "type MeteredCount": LicenseFilter(type=LicenseType.METERED_COUNT),
        "issuedTo": LicenseFilter(issued_to=facts.recipient),
        "productId": LicenseFilter(product_id=STUDIO),
        "expiringBefore in 30 days": LicenseFilter(expiring_before=facts.now + timedelta(30)),
        "expiringBefore 4 years ago": LicenseFilter(expiring_before=facts.now - timedelta(1460)),
    }


def _combinations(facts: Facts) -> dict[str, LicenseFilter]:
    soon = facts.now + timedelta(30)
    return {
        "Active, expiringBefore": LicenseFilter(status=LicenseStatus.ACTIVE, expiring_before=soon),
        "Studio, Subscription, Active": LicenseFilter(
            product_id=STUDIO, status=LicenseStatus.ACTIVE, type=LicenseType.SUBSCRIPTION
        ),
        "Trial, Active": LicenseFilter(status=LicenseStatus.ACTIVE, type=LicenseType.TRIAL),
        "MeteredCount, Revoked": LicenseFilter(
            status=LicenseStatus.REVOKED, type=LicenseType.METERED_COUNT
        ),
        "Studio, Suspended": LicenseFilter(product_id=STUDIO, status=LicenseStatus.SUSPENDED),
        "Studio, Expired": LicenseFilter(product_id=STUDIO, status=LicenseStatus.EXPIRED),
        "Revoked, search common": LicenseFilter(status=LicenseStatus.REVOKED, search="studio"),
    }


def _searches(facts: Facts) -> dict[str, LicenseFilter]:
    return {
        "search common word": LicenseFilter(search="studio"),
        "search rare word": LicenseFilter(search=f"customer{facts.rows // 90}"),
        "search word of 1 in 16": LicenseFilter(search="miller"),
        "search two words": LicenseFilter(search="kim miller"),
        "search two common words": LicenseFilter(search="aurora studio jo"),
        "search reseller and word": LicenseFilter(search="reseller 17 render"),
        "search one letter": LicenseFilter(search="s"),
        "search key prefix": LicenseFilter(search=facts.key[:7]),
        "search short key prefix": LicenseFilter(search=facts.key[:5]),
        "search whole key": LicenseFilter(search=facts.key),
        "search no match": LicenseFilter(search="xyzzy"),
    }


def _sorted_filters(facts: Facts) -> Iterator[Case]:
    for name, chosen in {
        "Revoked": LicenseFilter(status=LicenseStatus.REVOKED),
        "Expired": LicenseFilter(status=LicenseStatus.EXPIRED),
        "MeteredCount": LicenseFilter(type=LicenseType.METERED_COUNT),
        "Studio": LicenseFilter(product_id=STUDIO),
        "search miller": LicenseFilter(search="miller"),
        "search kim miller": LicenseFilter(search="kim miller"),
    }.items():
        for sort in ("licenseName", "-expirationDate"):
            yield Case(f"{name}, sort {sort}", chosen, Paging(sort=sort))

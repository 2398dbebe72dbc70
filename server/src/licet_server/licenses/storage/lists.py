"""Pages of the list of licenses, however many there are."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, literal_column, or_, select
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.kit.database import Connection
from licet_server.kit.each_institution import EachInstitution, each_of
from licet_server.kit.paging import (
    Listing,
    Paging,
    fetch_filtered_listing,
    fetch_numbered,
    numbered,
)
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import (
    GRACE_MAX_DAYS,
    License,
    LicenseFilter,
    LicenseStatus,
)
from licet_server.licenses.storage.filtering import filtered, matches
from licet_server.licenses.storage.records import SORTABLE, license_of, select_visible
from licet_server.licenses.tables import licenses


async def list_licenses(
    db: Connection,
    visibility: Visibility,
    filters: LicenseFilter,
    paging: Paging,
    now: datetime,
    *,
    total: int | None = None,
) -> Listing[License]:
    """`total` is the number of licenses where it is known, that is, of all or of one product's."""
    if total is not None:
        kept = _every_license(visibility, filters.product_id, paging.sort)
        listing = await fetch_numbered(db, kept, paging, total)
    else:
        each = each_of(visibility, licenses.c.institution_id)
        chosen = filtered(visibility, filters, now)
        if filters.status is LicenseStatus.ACTIVE:
            earliest = now - await _longest_grace(db, visibility.institutions)
            chosen = chosen.where(_ends_after(earliest, filters))
        listing = await fetch_filtered_listing(
            db,
            chosen,
            paging,
            id_column=licenses.c.id,
            sortable=SORTABLE,
            scan=_scan(visibility, filters, now, paging.after, each),
            each=each,
        )
    return listing.of(license_of)


@lru_cache(maxsize=128)
def _every_license(
    visibility: Visibility, product_id: UUID | None, sort: str | None
) -> Select[Any]:
    """Kept, because building it takes longer than running it."""
    statement = select_visible(visibility)
    if product_id is not None:
        statement = statement.where(licenses.c.product_id == product_id)
    each = each_of(visibility, licenses.c.institution_id)
    return numbered(statement, sort, id_column=licenses.c.id, sortable=SORTABLE, each=each)


async def _longest_grace(db: Connection, institution_ids: Iterable[UUID]) -> timedelta:
    """The longest grace of a license of these institutions."""
    longest = select(func.max(licenses.c.grace_days)).where(
        licenses.c.institution_id.in_(institution_ids), licenses.c.grace_days > literal_column("0")
    )
    days = (await db.execute(longest)).scalar_one() or 0
    return timedelta(days=min(days, GRACE_MAX_DAYS))


def _ends_after(earliest: datetime, filters: LicenseFilter) -> ColumnElement[bool]:
    """What is true of each active license, and can be found in an index.

    The sum of a date and a grace cannot, and years of expired licenses would be read.
    """
    ends_later = licenses.c.expiration_date > earliest
    if filters.expiring_before is not None:
        return ends_later
    return or_(licenses.c.expiration_date.is_(None), ends_later)


def _scan(
    visibility: Visibility,
    filters: LicenseFilter,
    now: datetime,
    after: UUID | None,
    each: EachInstitution | None,
) -> Select[Any] | None:
    """For many matches: scan until the page is full, from the newest license on or from `after`.

    The planner expects one match in fifty for any prefix. For a common prefix it would fetch and
    sort every match; the offset keeps the search out of the inner scan and prevents that.
    """
    if filters.search is None:
        return None
    others = filtered(visibility, replace(filters, search=None), now)
    if each is not None:
        others = each.within(others)
    if after is None:
        others = others.order_by(licenses.c.id.desc())
    else:
        others = others.where(licenses.c.id > after).order_by(licenses.c.id)
    scan = others.add_columns(licenses.c.search_words).offset(0).subquery("scan")
    found = ClauseAdapter(scan).traverse(matches(filters.search))
    columns = [column for column in scan.c if column.name != "search_words"]
    order = scan.c.id.desc() if after is None else scan.c.id
    return select(*columns).where(found).order_by(order)

"""Lists of licenses: filters, pages, and a few by what a user types."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    false,
    func,
    literal_column,
    or_,
    select,
    union_all,
)
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.kit.database import Connection
from licet_server.kit.paging import (
    Listing,
    Paging,
    fetch_filtered_listing,
    fetch_numbered,
    numbered,
)
from licet_server.kit.statements import EachInstitution, each_of
from licet_server.kit.tag_search import fetch_tags, has_tags
from licet_server.kit.tags import Tags
from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import fetch_with_words, has_words
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.rules.model import GRACE_MAX_DAYS, License, LicenseFilter, LicenseStatus
from licet_server.licenses.storage.records import (
    LICENSE_COLUMNS,
    SORTABLE,
    is_visible,
    license_of,
    select_visible,
)
from licet_server.licenses.storage.terms import has_fallback, valid_until
from licet_server.licenses.tables import licenses


def filtered(visibility: Visibility, filters: LicenseFilter, now: datetime) -> Select[Any]:
    """Select the visible licenses that match the filters at `now`."""
    statement = matching(select_visible(visibility), replace(filters, search=None), now)
    if filters.tags is not None:
        statement = statement.where(has_tags(licenses.c.tags, filters.tags))
    if filters.search is not None:
        statement = statement.where(_found_by(filters.search))
    return statement


def _found_by(search: str) -> ColumnElement[bool]:
    return or_(matches(search), has_tags(licenses.c.tags, [search]))


def matching(statement: Select[Any], filters: LicenseFilter, now: datetime) -> Select[Any]:
    """Narrow a selection of licenses to those that match the filters at `now`, apart from tags.

    Tags are for the vendor alone.
    """
    if filters.product_id is not None:
        statement = statement.where(licenses.c.product_id == filters.product_id)
    if filters.policy_id is not None:
        statement = statement.where(licenses.c.policy_id == filters.policy_id)
    if filters.customer_id is not None:
        statement = statement.where(licenses.c.customer_id == filters.customer_id)
    if filters.type is not None:
        statement = statement.where(licenses.c.type == filters.type)
    if filters.issued_to is not None:
        statement = statement.where(func.lower(licenses.c.issued_to) == filters.issued_to.lower())
    if filters.expiring_before is not None:
        statement = statement.where(licenses.c.expiration_date < filters.expiring_before)
    if filters.status is not None:
        statement = statement.where(has_status(filters.status, now))
    if filters.search is not None:
        statement = statement.where(matches(filters.search))
    return statement


def has_status(status: LicenseStatus, now: datetime) -> ColumnElement[bool]:
    """`License.status` in SQL; a test compares the two."""
    revoked, suspended = licenses.c.revoked_at.is_not(None), licenses.c.suspended_at.is_not(None)
    # The end of the term is for the index: a license expires at that or later.
    expired = and_(licenses.c.expiration_date <= now, valid_until <= now)
    match status:
        case LicenseStatus.REVOKED:
            return revoked
        case LicenseStatus.SUSPENDED:
            return and_(~revoked, suspended)
        case LicenseStatus.EXPIRED:
            return and_(~revoked, ~suspended, expired)
        case LicenseStatus.ACTIVE:
            unlimited = licenses.c.expiration_date.is_(None)
            return and_(~revoked, ~suspended, or_(unlimited, valid_until > now))


def matches(search: str) -> ColumnElement[bool]:
    """Match words of name, receiver or issuer by how they start, or the start of the key."""
    words = has_words(licenses.c.search_words, search)
    keys = [
        licenses.c.normal_key.startswith(start, autoescape=True) for start in normal_starts(search)
    ]
    return or_(false() if words is None else words, *keys)


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
    """Return the longest grace of a license of these institutions."""
    longest = select(func.max(licenses.c.grace_days)).where(
        licenses.c.institution_id.in_(institution_ids), licenses.c.grace_days > literal_column("0")
    )
    days = (await db.execute(longest)).scalar_one() or 0
    return timedelta(days=min(days, GRACE_MAX_DAYS))


def _ends_after(earliest: datetime, filters: LicenseFilter) -> ColumnElement[bool]:
    """Return what is true of each active license, and can be found in an index.

    The sum of a date and a grace cannot, and years of expired licenses would be read.
    """
    ends_later = licenses.c.expiration_date > earliest
    if filters.expiring_before is not None:
        return or_(ends_later, has_fallback)
    return or_(licenses.c.expiration_date.is_(None), ends_later, has_fallback)


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
    found = ClauseAdapter(scan).traverse(_found_by(filters.search))
    columns = [column for column in scan.c if column.name != "search_words"]
    order = scan.c.id.desc() if after is None else scan.c.id
    return select(*columns).where(found).order_by(order)


async def fetch_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses with this name, receiver or tag, and with a key or a name that begins so.

    Up to `limit` of each, so that one may be returned twice.
    """
    visible = select_visible(visibility)
    name = func.lower(licenses.c.license_name)
    lowered = text.lower()
    parts = [
        visible.where(name == lowered),
        visible.where(func.lower(licenses.c.issued_to) == lowered),
        visible.where(has_tags(licenses.c.tags, [text])),
        *(
            visible.where(licenses.c.normal_key.startswith(start, autoescape=True))
            for start in normal_starts(text)
        ),
        visible.where(name.startswith(lowered, autoescape=True)),
    ]
    statement = union_all(*(select(part.limit(limit).subquery()) for part in parts))
    return [license_of(row) for row in await db.execute(statement)]


async def fetch_worded(
    db: Connection, visibility: Visibility, search: str, limit: int
) -> list[License]:
    """Licenses with all words of the search in name, receiver and issuer; `db` is a transaction."""
    rows = await fetch_with_words(
        db,
        LICENSE_COLUMNS,
        licenses.c.search_words,
        search,
        visibility=visibility,
        visible=is_visible(visibility),
        limit=limit,
    )
    return [license_of(row) for row in rows]


async def fetch_known_tags(db: Connection, visibility: Visibility) -> Tags:
    """Return the tags of the newest visible licenses that have any."""
    newest = select_visible(visibility).order_by(licenses.c.id.desc())
    return await fetch_tags(db, newest, licenses.c.tags)

"""Lists of licenses: filters, pages, and a few by what a user types."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace as replace_texts
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    false,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.catalog.reading import fetch_instants, stored_total
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.folded_columns import each_way
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.look_ups import LookUps
from licet_server.kit.paging import FilteredPages, Listing, Pages, Paging
from licet_server.kit.statements import each_of, first_of_each
from licet_server.kit.tag_search import fetch_tags, found_by_tag, has_tags, search_query, tags_query
from licet_server.kit.tags import Tags
from licet_server.kit.text import start_pattern
from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import WordSearch, query_of
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.rules.model import GRACE_MAX_DAYS, License, LicenseFilter, LicenseStatus
from licet_server.licenses.storage.former_keys import fetch_ids_by_starts, had_key
from licet_server.licenses.storage.records import (
    CLOCK,
    LICENSE_COLUMNS,
    SORTABLE,
    is_visible,
    license_of,
    licenses_of,
    select_visible,
)
from licet_server.licenses.storage.terms import has_fallback, paid_until, valid_until
from licet_server.licenses.tables import WORDS, licenses


class SearchTexts(Struct, frozen=True):
    """What a search looks for: words and a tag, as queries, and beginnings of keys, as patterns.

    `former` are the licenses that had such a key before. Where these are many, `former_of` are the
    institutions of whose licenses that is asked.
    """

    words: str | None
    keys: tuple[str, ...]
    tag: str | None = None
    former: tuple[UUID, ...] = ()
    former_of: tuple[UUID, ...] = ()


def texts_of(search: str | None) -> SearchTexts | None:
    """Return what a search looks for."""
    if search is None:
        return None
    return SearchTexts(query_of(search), tuple(map(start_pattern, normal_starts(search))))


async def _vendor_texts_of(
    db: Connection, visibility: Visibility, search: str | None
) -> SearchTexts | None:
    """Return what a search of the vendor looks for, who also finds tags and former keys."""
    texts = texts_of(search)
    if texts is None or search is None:
        return None
    texts = replace_texts(texts, tag=search_query(search))
    former = await fetch_ids_by_starts(db, visibility, normal_starts(search))
    if former is not None:
        return replace_texts(texts, former=former)
    return replace_texts(texts, former_of=visibility.institutions + visibility.narrowed)


async def filtered(
    db: Connection, visibility: Visibility, filters: LicenseFilter, now: datetime
) -> Select[Any]:
    """Select the visible licenses that match the filters at `now`, as `matching` does."""
    _, latest = await _fetch_range(db, visibility, filters, now)
    search = await _vendor_texts_of(db, visibility, filters.search)
    visible = _tagged(select_visible(visibility), _tags_of(filters))
    return matching(visible, _normal(filters), search, now, latest)


async def _fetch_range(
    db: Connection, visibility: Visibility, filters: LicenseFilter, now: datetime
) -> tuple[datetime, datetime]:
    """Fetch the earliest and the latest instant that matter to whether licenses match at `now`."""
    if filters.test is False or filters.status not in {LicenseStatus.ACTIVE, LicenseStatus.EXPIRED}:
        return now, now
    return await fetch_instants(db, visibility.institutions + visibility.narrowed, now)


def _normal(filters: LicenseFilter) -> LicenseFilter:
    """Return the filters with the receiver's address as it is compared."""
    if filters.issued_to is None:
        return filters
    return replace(filters, issued_to=normal_email(filters.issued_to))


def _tags_of(filters: LicenseFilter) -> str | None:
    return None if filters.tags is None else tags_query(filters.tags)


def _tagged(statement: Select[Any], tags: str | None) -> Select[Any]:
    return statement if tags is None else statement.where(has_tags(licenses.c.tags, tags))


def matching(
    statement: Select[Any],
    filters: LicenseFilter,
    search: SearchTexts | None,
    now: datetime,
    latest: datetime | None,
) -> Select[Any]:
    """Narrow a selection of licenses to those that match the filters at `now`, apart from tags.

    Each goes by the clock of its product, if that has one. `latest` is the latest instant that any
    of them goes by, where it is known: many licenses are found faster with it.

    `search` takes the place of that of the filters. Tags are for the vendor alone.
    """
    if filters.product_id is not None:
        statement = statement.where(licenses.c.product_id == filters.product_id)
    if filters.policy_id is not None:
        statement = statement.where(licenses.c.policy_id == filters.policy_id)
    if filters.customer_id is not None:
        statement = statement.where(licenses.c.customer_id == filters.customer_id)
    if filters.test is not None:
        statement = statement.where(licenses.c.test.is_(filters.test))
    if filters.type is not None:
        statement = statement.where(licenses.c.type == filters.type)
    if filters.issued_to is not None:
        statement = statement.where(func.lower(licenses.c.issued_to) == filters.issued_to)
    instant = func.coalesce(CLOCK, now)
    if filters.expiring_before is not None:
        statement = statement.where(_will_expire(filters.expiring_before, filters.status, instant))
    if filters.status is not None:
        statement = statement.where(has_status(filters.status, instant, latest))
    if search is not None:
        statement = statement.where(matches(search))
    return statement


def _will_expire(
    before: datetime, status: LicenseStatus | None, at: ColumnElement[Any]
) -> ColumnElement[bool]:
    """Return whether a term ends before an instant; what only a fallback keeps active has ended."""
    ends = licenses.c.expiration_date < before
    return and_(ends, paid_until > at) if status is LicenseStatus.ACTIVE else ends


def has_status(
    status: LicenseStatus, at: datetime | ColumnElement[Any], latest: datetime | None
) -> ColumnElement[bool]:
    """`License.status` in SQL at an instant, which is not after `latest`; a test compares the two.

    The instant may be an expression of each row; `latest` finds those that expired in an index.
    """
    revoked, suspended = licenses.c.revoked_at.is_not(None), licenses.c.suspended_at.is_not(None)
    expired = valid_until <= at
    if latest is not None:  # a license expires at the end of its term or later
        expired = and_(licenses.c.expiration_date <= latest, expired)
    match status:
        case LicenseStatus.REVOKED:
            return revoked
        case LicenseStatus.SUSPENDED:
            return and_(~revoked, suspended)
        case LicenseStatus.EXPIRED:
            return and_(~revoked, ~suspended, expired)
        case LicenseStatus.ACTIVE:
            unlimited = licenses.c.expiration_date.is_(None)
            return and_(~revoked, ~suspended, or_(unlimited, valid_until > at))


def works_at(instant: datetime | ColumnElement[Any]) -> ColumnElement[bool]:
    """Return whether anything can be asked of a license: only then it waits for an operator.

    It is the one rule of what waits: nobody has to approve a device of a license that is suspended,
    revoked, or beyond its term and its grace.
    """
    return has_status(LicenseStatus.ACTIVE, instant, None)


def matches(search: SearchTexts) -> ColumnElement[bool]:
    """Match words of name, receiver or issuer by how they start, or the start of a key."""
    words = false() if search.words is None else WORDS.match(search.words)
    tagged = () if search.tag is None else (found_by_tag(licenses.c.tags, search.tag),)
    keys = (licenses.c.normal_key.like(pattern) for pattern in search.keys)
    former = (licenses.c.id.in_(search.former),) if search.former else ()
    many = (had_key(search.former_of, search.keys),) if search.former_of else ()
    return or_(words, *keys, *former, *many, *tagged)


async def list_licenses(
    db: Connection,
    visibility: Visibility,
    filters: LicenseFilter,
    paging: Paging,
    now: datetime,
    *,
    counted: Visibility | None = None,
) -> Listing[License]:
    """`counted` are the products whose stored numbers of licenses add up to the list's, if any."""
    if counted is not None:
        pages, given = _every_license(visibility, filters.product_id, counted)
        return (await pages.fetch(db, paging, given)).of(license_of)
    earliest, latest = await _fetch_range(db, visibility, filters, now)
    ends_after = None
    if filters.status is LicenseStatus.ACTIVE:
        ends_after = earliest - await _longest_grace(db, visibility.institutions)
    search = await _vendor_texts_of(db, visibility, filters.search)
    tags = _tags_of(filters)
    others = replace(_normal(filters), search=None, tags=None)
    chosen, given = _chosen(visibility, others, search, tags, now, latest, ends_after)
    return (await chosen.fetch(db, paging, given)).of(license_of)


async def walk_licenses(
    look_ups: LookUps,
    visibility: Visibility,
    product_id: UUID | None,
    paging: Paging,
    counted: Visibility,
) -> Listing[License]:
    """Return a page of all licenses, or of those of a product; see `list_licenses`."""
    pages, given = _every_license(visibility, product_id, counted)
    return await look_ups.page(pages, paging, given, licenses_of)


@kept
def _every_license(visibility: Visibility, product_id: UUID | None, counted: Visibility) -> Pages:
    statement = select_visible(visibility)
    if product_id is not None:
        statement = statement.where(licenses.c.product_id == product_id)
    each = each_of(visibility, licenses.c.institution_id)
    return Pages(
        statement,
        id_column=licenses.c.id,
        sortable=SORTABLE,
        each=each,
        total=stored_total(counted),
    )


@kept
def _chosen(
    visibility: Visibility,
    filters: LicenseFilter,
    search: SearchTexts | None,
    tags: str | None,
    now: datetime,
    latest: datetime,
    ends_after: datetime | None,
) -> FilteredPages:
    """Build the list of what matches; active licenses end later than `ends_after`."""
    visible = _tagged(select_visible(visibility), tags)
    each = each_of(visibility, licenses.c.institution_id)
    chosen = matching(visible, filters, search, now, latest)
    if ends_after is not None:
        chosen = chosen.where(_ends_after(ends_after, filters))

    found: ColumnElement[bool] = false() if search is None else matches(search)

    def scan(after: ColumnElement[UUID] | None) -> Select[Any]:
        others = matching(visible, filters, None, now, latest)
        return _scan(others if each is None else each.within(others), found, after)

    return FilteredPages(
        chosen,
        id_column=licenses.c.id,
        sortable=SORTABLE,
        scan=None if search is None else scan,
        each=each,
    )


async def _longest_grace(db: Connection, institution_ids: tuple[UUID, ...]) -> timedelta:
    days = (await db.execute(*_longest(institution_ids))).scalar_one() or 0
    return timedelta(days=min(days, GRACE_MAX_DAYS))


@kept
def _longest(institution_ids: tuple[UUID, ...]) -> Select[Any]:
    return select(func.max(licenses.c.grace_days)).where(
        licenses.c.institution_id.in_(institution_ids), licenses.c.grace_days > literal_column("0")
    )


def _ends_after(earliest: datetime, filters: LicenseFilter) -> ColumnElement[bool]:
    """Return what is true of each active license, and can be found in an index.

    The sum of a date and a grace cannot, and years of expired licenses would be read.
    """
    ends_later = licenses.c.expiration_date > earliest
    if filters.expiring_before is not None:
        return ends_later
    return or_(licenses.c.expiration_date.is_(None), ends_later, has_fallback)


def _scan(
    others: Select[Any], found: ColumnElement[bool], after: ColumnElement[UUID] | None
) -> Select[Any]:
    """For many matches: scan until the page is full, from the newest license on or from `after`.

    The planner expects one match in fifty for any prefix. For a common prefix it would fetch and
    sort every match; the offset keeps the search out of the inner scan and prevents that.
    """
    if after is None:
        others = others.order_by(licenses.c.id.desc())
    else:
        others = others.where(licenses.c.id > after).order_by(licenses.c.id)
    scan = others.add_columns(licenses.c.search_words).offset(0).subquery("scan")
    columns = [column for column in scan.c if column.name != "search_words"]
    order = scan.c.id.desc() if after is None else scan.c.id
    return select(*columns).where(ClauseAdapter(scan).traverse(found)).order_by(order)


async def fetch_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses with this name, receiver or tag, and with a key or a name that begins so.

    Up to `limit` of each, so that one may be returned twice.
    """
    name, keys = folded(text), tuple(map(start_pattern, normal_starts(text)))
    given = (text.lower(), name, start_pattern(name), keys, search_query(text))
    named = _named(visibility, *given, limit)
    return [license_of(row) for row in await db.execute(*named)]


@kept
def _named(
    visibility: Visibility,
    receiver: str,
    named: str,
    start: str,
    keys: tuple[str, ...],
    tag: str,
    limit: int,
) -> CompoundSelect[Any]:
    visible = select_visible(visibility)
    name = licenses.c.license_name
    parts = [
        *(visible.where(it) for it in each_way(name, lambda name: name == named)),
        visible.where(func.lower(licenses.c.issued_to) == receiver),
        visible.where(found_by_tag(licenses.c.tags, tag)),
        *(visible.where(licenses.c.normal_key.like(pattern)) for pattern in keys),
        *(visible.where(it) for it in each_way(name, lambda name: name.like(start))),
    ]
    return first_of_each(parts, limit)


_WORDED = WordSearch(LICENSE_COLUMNS, licenses, WORDS, is_visible)


async def fetch_worded(
    db: Connection, visibility: Visibility, search: str, limit: int
) -> list[License]:
    """Licenses with all words of the search in name, receiver and issuer; `db` is a transaction."""
    return [license_of(row) for row in await _WORDED.fetch(db, visibility, search, limit)]


async def fetch_known_tags(db: Connection, visibility: Visibility) -> Tags:
    """Return the tags of the newest visible licenses that have any."""
    newest = select_visible(visibility).order_by(licenses.c.id.desc())
    return await fetch_tags(db, newest, licenses.c.tags)

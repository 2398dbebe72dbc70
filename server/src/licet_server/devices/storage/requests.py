"""What applications requested of licenses, as it is stored."""

from collections.abc import Sequence
from datetime import date, datetime

from msgspec.structs import astuple
from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from licet_server.devices.errors import LicenseDeleted
from licet_server.devices.rules.requests import KEPT_FOR, MAX_ROWS, LicenseRequest
from licet_server.devices.tables import license_requests as requests
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays, added_to
from licet_server.licenses.rules.model import LicenseId


def _of_license(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(requests.c.institution_id == license_id[0], requests.c.license_id == license_id[1])


REQUESTS = Rows(
    requests,
    LicenseRequest,
    _of_license,
    sortable={
        "firstSeenAt": requests.c.first_seen_at,
        "lastSeenAt": requests.c.last_seen_at,
        "count": requests.c.request_count,
    },
)


async def list_requests(
    db: Connection, license_id: LicenseId, paging: Paging, now: datetime
) -> Listing[LicenseRequest]:
    """List the latest requests of a license, however many are stored."""
    return await REQUESTS.page(db, license_id, paging, _latest, license_id, now - KEPT_FOR)


def _latest(license_id: LicenseId, since: datetime) -> tuple[ColumnElement[bool]]:
    latest = (
        select(requests.c.id)
        .where(_of_license(license_id), requests.c.last_seen_at >= since)
        .order_by(requests.c.last_seen_at.desc(), requests.c.id.desc())
        .limit(literal_column(str(MAX_ROWS)))
    )
    return (requests.c.id.in_(latest),)


_KEY = ["institution_id", "license_id", "hardware_id", "route", "status"]
_NEW = Arrays.of("given", requests, *LicenseRequest.__struct_fields__)
_insert = insert(requests).from_select(list(_NEW.c.keys()), select(*_NEW.c))
_given = _insert.excluded
_ADD = _insert.on_conflict_do_update(
    index_elements=_KEY,
    set_={
        "device_name": func.coalesce(_given.device_name, requests.c.device_name),
        "app_version": func.coalesce(_given.app_version, requests.c.app_version),
        "ip_address": _given.ip_address,
        "request_count": added_to(requests.c.request_count, _given.request_count),
        "first_seen_at": func.least(requests.c.first_seen_at, _given.first_seen_at),
        "last_seen_at": func.greatest(requests.c.last_seen_at, _given.last_seen_at),
        "last_day": func.greatest(requests.c.last_day, _given.last_day),
    },
).returning(requests.c.id)


async def add_requests(db: Connection, items: Sequence[LicenseRequest]) -> list[LicenseId]:
    """Add to what is stored, in one statement; return the licenses that got new rows.

    The items are in the order of their keys, in which their rows are locked, as in every process
    that adds.

    Raises:
        LicenseDeleted: nothing was added.
    """
    given = _NEW.given(map(astuple, items))
    new = {item.id: (item.institution_id, item.license_id) for item in items}
    try:
        stored = (await db.execute(_ADD, given)).scalars()
    except IntegrityError:
        raise LicenseDeleted from None
    return list(dict.fromkeys(new[item] for item in stored if item in new))


_IDENTITY = ("id", *_KEY)
_ROW = [requests.c[name] for name in _IDENTITY]
# Each row is named by its ID and by the other unique key: where the table was counted while it was
# small, the planner may take either index, and would read all rows of an institution for a row.
_FULL = Arrays("full", institution_id=Id, license_id=Id)
_beyond = (
    select(*_ROW)
    .where(_FULL.same(requests, "institution_id", "license_id"))
    .order_by(requests.c.last_seen_at.desc(), requests.c.id.desc())
    .offset(bindparam("kept_rows", type_=Integer))
    .lateral("beyond")
)
_BEYOND = select(_beyond).select_from(_FULL.table.join(_beyond, true()))

_GONE = Arrays.of("gone", requests, *_IDENTITY)
_unlocked = (
    select(*_ROW)
    .select_from(_GONE.table.join(requests, true()))
    .where(_GONE.same(requests, *_IDENTITY))
    .with_for_update(skip_locked=True, of=requests)
    .subquery("unlocked")
)
_DELETE = delete(requests).where(*(requests.c[name] == _unlocked.c[name] for name in _IDENTITY))


async def delete_beyond(db: Connection, license_ids: Sequence[LicenseId]) -> int:
    """Delete what these licenses have beyond `MAX_ROWS` rows; return how many.

    Rows that are just being written are not waited for: they are found the next time.
    """
    rows = await db.execute(_BEYOND, {**_FULL.given(license_ids), "kept_rows": MAX_ROWS})
    found = rows.all()
    if not found:
        return 0
    return int((await db.execute(_DELETE, _GONE.given(found))).rowcount)


async def delete_before(db: Connection, day: date, limit: int) -> int:
    """Delete rows that were last added to before a day, at most `limit`; return how many.

    Several processes may delete at once: each skips locked rows.
    """
    old = (
        select(*_ROW)
        .where(requests.c.last_day < day)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .subquery()
    )
    statement = delete(requests).where(*(requests.c[name] == old.c[name] for name in _IDENTITY))
    return int((await db.execute(statement)).rowcount)

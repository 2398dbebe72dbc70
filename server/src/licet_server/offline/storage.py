"""Offline requests, as they are stored. All but lists run under the lock of the license."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, select, true

from licet_server.catalog.reading import instant_by
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.storage.lists import works_at
from licet_server.licenses.tables import licenses
from licet_server.offline.rules.requests import TRIED_KEYS, OfflineRequest, StoredState
from licet_server.offline.tables import offline_requests as table

REQUESTS = Rows[OfflineRequest, Collection[UUID]](
    table,
    OfflineRequest,
    table.c.institution_id.in_,
    sortable={"askedAt": table.c.asked_at},
)


def _of(license_id: LicenseId) -> ColumnElement[bool]:
    return and_(table.c.institution_id == license_id[0], table.c.license_id == license_id[1])


async def fetch_of_device(db: Connection, license_id: LicenseId, jkt: str) -> OfflineRequest | None:
    """Fetch the newest request of a device."""
    return await REQUESTS.one(db, REQUESTS.select(_of(license_id), table.c.jkt == jkt))


async def keep(db: Connection, request: OfflineRequest, before: OfflineRequest | None) -> None:
    """Store a request in place of the one before of its device, if there is one."""
    if before is not None and before.id == request.id:
        await REQUESTS.save(db, request)
        return
    if before is not None:
        await REQUESTS.delete(db, before)
    await REQUESTS.insert(db, request)


async def fetch_answered(db: Connection, license_id: LicenseId) -> list[OfflineRequest]:
    """Fetch the devices of a license that ever had an answer, those that asked last."""
    statement = REQUESTS.select(_of(license_id), table.c.file_jti.is_not(None))
    return await REQUESTS.all(db, statement.order_by(table.c.asked_at.desc()).limit(TRIED_KEYS))


async def fetch_sharing(db: Connection, request: OfflineRequest) -> list[OfflineRequest]:
    """Fetch the requests of others of its hardware ID that ever had an answer."""
    statement = REQUESTS.select(
        _of((request.institution_id, request.license_id)),
        table.c.hardware_id == request.hardware_id,
        table.c.jkt != request.jkt,
        table.c.file_jti.is_not(None),
    )
    return await REQUESTS.all(db, statement)


async def count_since(db: Connection, license_id: LicenseId, since: datetime) -> int:
    """Count the devices of a license that asked since then."""
    statement = select(func.count()).where(_of(license_id), table.c.asked_at >= since)
    return int((await db.execute(statement)).scalar_one())


def _in_state(state: StoredState | None) -> ColumnElement[bool]:
    return true() if state is None else table.c.state == state.value


def _listed(license_id: UUID, state: StoredState | None) -> list[ColumnElement[bool]]:
    return [table.c.license_id == license_id, _in_state(state)]


async def list_of_license(
    db: Connection, license_id: LicenseId, state: StoredState | None, paging: Paging
) -> Listing[OfflineRequest]:
    """List the requests of a license, newest first."""
    return await REQUESTS.page(db, [license_id[0]], paging, _listed, license_id[1], state)


def _of_all(state: StoredState | None) -> list[ColumnElement[bool]]:
    return [_in_state(state)]


async def list_of_institutions(
    db: Connection, institutions: Collection[UUID], state: StoredState | None, paging: Paging
) -> Listing[OfflineRequest]:
    """List the requests of all licenses of institutions, newest first."""
    return await REQUESTS.page(db, institutions, paging, _of_all, state)


async def count_waiting(db: Connection, institution_id: UUID, now: datetime) -> int:
    """Count the requests of an institution that wait, but for those of licenses that do not work.

    They wait again once their license is reinstated, restored or extended.
    """
    return int((await db.execute(*_count(institution_id, now))).scalar_one())


@kept
def _count(institution_id: UUID, now: datetime) -> Select[Any]:
    return _waiting(select(func.count()), institution_id, now)


async def fetch_waiting(
    db: Connection, institution_id: UUID, limit: int, now: datetime
) -> list[OfflineRequest]:
    """Fetch the requests that `count_waiting` counts, oldest first."""
    return await REQUESTS.all(db, *_first(institution_id, limit, now))


@kept
def _first(institution_id: UUID, limit: int, now: datetime) -> Select[Any]:
    found = _waiting(REQUESTS.select(), institution_id, now)
    return found.order_by(table.c.asked_at, table.c.id).limit(limit)


def _waiting(selected: Select[Any], institution_id: UUID, now: datetime) -> Select[Any]:
    is_of = and_(
        licenses.c.institution_id == table.c.institution_id, licenses.c.id == table.c.license_id
    )
    return selected.select_from(table.join(licenses, is_of)).where(
        table.c.institution_id == institution_id,
        table.c.state == StoredState.WAITING.value,
        works_at(instant_by(table.c.institution_id, table.c.product_id, now)),
    )

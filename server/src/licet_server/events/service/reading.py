"""Recorded events for other features, which decide who may read them."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import (
    INSTANCE,
    RecordedEvent,
    RecordedEventFilter,
    SealedEvent,
)
from licet_server.events.storage import reading, seals
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.visibility import Visibility


async def fetch_events(
    db: Connection, keys: Iterable[tuple[UUID, UUID]]
) -> dict[UUID, RecordedEvent]:
    """Fetch events by institution and ID; missing ones are omitted."""
    return await reading.fetch_events(db, keys)


async def list_events(
    db: Connection, institution_id: UUID, chosen: RecordedEventFilter, paging: Paging
) -> Listing[SealedEvent]:
    """List the events of an institution that match the filters, with their places in the chain."""
    return await seals.list_events(db, institution_id, chosen, paging)


async def list_institutions_created(db: Connection) -> list[UUID]:
    """The institutions that the instance has recorded as created, deleted ones included."""
    return await reading.list_subjects(db, INSTANCE, EventKind.INSTITUTION_CREATED)


async def fetch_recorded(
    db: Connection,
    institution_id: UUID,
    kind: EventKind,
    subject_ids: Collection[UUID],
    sealed_until: int,
) -> list[RecordedEvent]:
    """Fetch events of a kind about these subjects that were not sealed at the given number."""
    if not subject_ids:
        return []
    return await reading.fetch_recorded(db, institution_id, kind, subject_ids, sealed_until)


async def list_license_events(
    db: Connection,
    institution_id: UUID,
    license_id: UUID,
    without: Collection[str],
    paging: Paging,
) -> Listing[RecordedEvent]:
    """List the events that concern a license, its devices, sessions and wallet as well.

    Some families of kinds are left out.
    """
    return await reading.list_license_events(db, institution_id, license_id, without, paging)


async def list_subject_events(
    db: Connection,
    institution_id: UUID,
    subject_id: UUID,
    license_ids: Collection[UUID],
    without: Collection[str],
    paging: Paging,
) -> Listing[RecordedEvent]:
    """List the events about a subject, and those that concern some licenses."""
    return await reading.list_subject_events(
        db, institution_id, subject_id, license_ids, without, paging
    )


async def fetch_newest(
    db: Connection, institution_id: UUID, without: Collection[str], limit: int
) -> list[RecordedEvent]:
    """Fetch the newest events of an institution, newest first, without some families of kinds."""
    return await reading.fetch_newest(db, institution_id, without, limit)


async def fetch_newest_of_products(
    db: Connection,
    institution_id: UUID,
    product_ids: Sequence[UUID],
    without: Collection[str],
    limit: int,
) -> list[RecordedEvent]:
    """Fetch the newest events of some products, newest first, without some families of kinds."""
    return await reading.fetch_newest_of_products(db, institution_id, product_ids, without, limit)


async def count_by_day(
    db: Connection,
    visibility: Visibility,
    kinds: Sequence[str],
    *,
    since: datetime,
    until: datetime,
) -> dict[tuple[date, str], int]:
    """Count the visible events of each kind on each UTC day in `[since, until)`."""
    return await reading.count_by_day(db, visibility, kinds, since=since, until=until)

"""Events about a person: read for an export, and erased.

The chain of the audit log still holds afterwards. It is locked meanwhile: an event that is being
sealed must not change.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from uuid import UUID

from licet_server.events.rules.chain import without
from licet_server.events.rules.model import INSTANCE, RecordedEvent, SealedEvent
from licet_server.events.rules.persons import Traces, personal_leaves
from licet_server.events.service.sealing import open_secret
from licet_server.events.storage import chains, persons
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_PER_STEP = 5_000
EVENTS_PER_EXPORT = 10_000
_START = UUID(int=0)

Find = Callable[[Connection, UUID, Traces, UUID, UUID | None], Awaitable[list[SealedEvent]]]


async def find_deleted_licenses(
    db: Connection, institution_id: UUID, names: Collection[str]
) -> set[UUID]:
    """Find the deleted licenses that were issued to one of these names, in lower case.

    Their ledgers and events are kept.
    """
    return await persons.find_deleted_licenses(db, institution_id, names)


async def list_events_about(
    db: Connection, institution_id: UUID, traces: Traces
) -> list[RecordedEvent]:
    """List the events of an institution that are about a person, oldest first.

    At most 10,000 are listed.
    """
    found: list[RecordedEvent] = []
    async for step in _steps(persons.find_events, db, institution_id, institution_id, traces):
        found += [event for event in step if personal_leaves(event, traces)]
        if len(found) >= EVENTS_PER_EXPORT:
            return found[:EVENTS_PER_EXPORT]
    return found


async def erase_events_about(work: UnitOfWork, institution_id: UUID, traces: Traces) -> list[UUID]:
    """Erase a person from the events of an institution; returns the IDs of those that changed.

    What the instance has recorded of the institution for itself is erased, too. Events in archives
    stay as they are.
    """
    changed = await _erase(work, institution_id, persons.find_events, institution_id, traces)
    await _erase(work, INSTANCE, persons.find_copies, institution_id, traces)
    return changed


async def _erase(
    work: UnitOfWork, chain_id: UUID, find: Find, institution_id: UUID, traces: Traces
) -> list[UUID]:
    secret = b""
    if (held := await chains.hold_chain(work.db, chain_id)) is not None:
        chain, stored = held
        secret = open_secret(work.keyring, chain, stored) or b""
    changed: list[UUID] = []
    async for step in _steps(find, work.db, chain_id, institution_id, traces):
        left = [
            without(secret, event, names)
            for event in step
            if (names := personal_leaves(event, traces))
        ]
        if left:
            await persons.save_left(work.db, left)
        changed += [event.id for event in left]
    return changed


async def _steps(
    find: Find, db: Connection, chain_id: UUID, institution_id: UUID, traces: Traces
) -> AsyncIterator[list[SealedEvent]]:
    after = _START
    while True:
        until = await persons.find_boundary(db, chain_id, after, EVENTS_PER_STEP)
        yield await find(db, institution_id, traces, after, until)
        if until is None:
            return
        after = until

"""Personal data in events: read for an export, and erased.

The chain of the audit log still holds afterwards. It is locked meanwhile: an event that is being
sealed must not change.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from licet_server.events.rules.chain import text_digest, without
from licet_server.events.rules.model import INSTANCE, RecordedEvent, SealedEvent
from licet_server.events.rules.personal_data import Traces, count_texts, personal_leaves
from licet_server.events.service.sealing import open_secret
from licet_server.events.storage import chains, personal_data
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_PER_STEP = 5_000
EVENTS_PER_EXPORT = 10_000
_START = UUID(int=0)

Find = Callable[[Connection, UUID, Traces, UUID, UUID | None], Awaitable[list[SealedEvent]]]


async def find_deleted_licenses(
    db: Connection, institution_id: UUID, names: Collection[str]
) -> dict[UUID, str]:
    """Find the deleted licenses that were issued to one of these names, in lower case.

    Each comes with the name. Their ledgers and events are kept.
    """
    return await personal_data.find_deleted_licenses(db, institution_id, names)


async def list_events_about(
    db: Connection, institution_id: UUID, traces: Traces
) -> list[RecordedEvent]:
    """List the events of an institution that are about a person, oldest first.

    At most 10,000 are listed.
    """
    found: list[RecordedEvent] = []
    async for step in _steps(personal_data.find_events, db, institution_id, institution_id, traces):
        found += [event for event in step if personal_leaves(event, traces)]
        if len(found) >= EVENTS_PER_EXPORT:
            return found[:EVENTS_PER_EXPORT]
    return found


@dataclass(frozen=True, slots=True)
class ErasedText:
    """A text that was replaced: how often, and its digest under the secret of the chain."""

    text: str
    digest: str
    count: int


@dataclass(frozen=True, slots=True)
class ErasedEvents:
    """The events of an institution from which a person was erased, and the texts, most first."""

    ids: tuple[UUID, ...]
    texts: tuple[ErasedText, ...]


async def erase_events_about(
    work: UnitOfWork, institution_id: UUID, traces: Traces
) -> ErasedEvents:
    """Erase a person from the events of an institution; returns what changed.

    What the instance has recorded of the institution for itself is erased, too. Events in archives
    stay as they are.
    """
    secret = await _hold(work, institution_id)
    find = personal_data.find_events
    ids, texts = await _erase(work, institution_id, secret, find, institution_id, traces)
    copies = await _hold(work, INSTANCE)
    await _erase(work, INSTANCE, copies, personal_data.find_copies, institution_id, traces)
    found = (
        ErasedText(text, text_digest(secret, text), count) for text, count in texts.most_common()
    )
    return ErasedEvents(tuple(ids), tuple(found))


async def _hold(work: UnitOfWork, chain_id: UUID) -> bytes:
    """Lock a chain until the transaction ends, and return its secret."""
    held = await chains.hold_chain(work.db, chain_id)
    return b"" if held is None else open_secret(work.keyring, *held) or b""


async def _erase(
    work: UnitOfWork,
    chain_id: UUID,
    secret: bytes,
    find: Find,
    institution_id: UUID,
    traces: Traces,
) -> tuple[list[UUID], Counter[str]]:
    changed: list[UUID] = []
    texts: Counter[str] = Counter()
    async for step in _steps(find, work.db, chain_id, institution_id, traces):
        found = [(event, personal_leaves(event, traces)) for event in step]
        left = [without(secret, event, names) for event, names in found if names]
        if left:
            await personal_data.save_left(work.db, left)
        changed += [event.id for event in left]
        for event, names in found:
            texts += count_texts(event, names)
    return changed, texts


async def _steps(
    find: Find, db: Connection, chain_id: UUID, institution_id: UUID, traces: Traces
) -> AsyncIterator[list[SealedEvent]]:
    after = _START
    while True:
        until = await personal_data.find_boundary(db, chain_id, after, EVENTS_PER_STEP)
        yield await find(db, institution_id, traces, after, until)
        if until is None:
            return
        after = until

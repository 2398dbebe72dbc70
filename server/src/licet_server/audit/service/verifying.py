"""Walks along the chains and reports every event that was changed, deleted, moved or cut off."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.audit.rules.inspection import Inspection
from licet_server.audit.rules.model import Breach, ChainHead, Finding
from licet_server.events.rules.chain import Chain
from licet_server.events.rules.model import INSTANCE, SealedEvent
from licet_server.events.service.reading import list_institutions_created
from licet_server.events.service.sealing import (
    fetch_chains,
    fetch_sealed,
    find_sealed_institutions,
    open_secret,
)
from licet_server.institutions.service.institutions import list_all_institution_ids
from licet_server.kit.platform import Platform

EVENTS_PER_STEP = 2_000


@dataclass(frozen=True, slots=True)
class Verification:
    """How many chains and events were checked, and everything that is wrong."""

    chains: int
    events: int
    breaches: list[Breach]


async def verify(
    platform: Platform, heads: Sequence[ChainHead], progress: Callable[[int, int], None]
) -> Verification:
    """Check every chain; `heads` are the heads that were anchored or logged outside the database.

    Events sealed in the meantime are not checked. `progress` is called with the number of events
    checked and the total.
    """
    async with platform.database.reading() as db:
        found = await fetch_chains(db)
    total = sum(chain.number for chain, _ in found)
    breaches: list[Breach] = []
    checked = 0
    for chain, stored in found:
        secret = open_secret(platform.keyring, chain, stored)
        if secret is None:
            breaches.append(Breach(chain.institution_id, Finding.REPLACED, chain.number))
            continue
        known = [head for head in heads if head.institution_id == chain.institution_id]
        inspection = Inspection(chain, secret, known)
        async for events in _walk(platform, chain):
            for event in events:
                inspection.check(event)
            checked += len(events)
            progress(checked, max(checked, total))
        breaches += inspection.finish()
    chained = {chain.institution_id for chain, _ in found}
    breaches += [
        Breach(institution_id, Finding.LOST, 1)
        for institution_id in sorted(await _expected(platform, heads) - chained)
    ]
    return Verification(len(found), checked, breaches)


async def _walk(platform: Platform, chain: Chain) -> AsyncIterator[list[SealedEvent]]:
    after = 0
    while after < chain.number:
        limit = min(EVENTS_PER_STEP, chain.number - after)
        async with platform.database.reading() as db:
            events = await fetch_sealed(db, chain.institution_id, after, limit)
        events = [event for event in events if (event.seal_number or 0) <= chain.number]
        if not events:
            return
        yield events
        after = events[-1].seal_number or 0


async def _expected(platform: Platform, heads: Sequence[ChainHead]) -> set[UUID]:
    """Return who must have a chain: whoever exists, has sealed events, or was anchored."""
    async with platform.database.reading() as db:
        existing = await list_all_institution_ids(db)
        created = await list_institutions_created(db)
        sealed = await find_sealed_institutions(db)
    return {INSTANCE, *existing, *created, *sealed, *(head.institution_id for head in heads)}

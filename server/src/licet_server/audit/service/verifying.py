"""Walks along the chains and reports every event that was changed, deleted, moved or cut off."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from licet_server.audit.rules.chain import Inspection
from licet_server.audit.rules.model import Breach, Chain, ChainHead, Finding
from licet_server.audit.service.sealing import secret_place
from licet_server.audit.storage import chains
from licet_server.events.rules.model import SealedEvent
from licet_server.events.service.sealing import (
    fetch_sealed,
    find_existing_institutions,
    find_institutions,
)
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
    """Check every chain; `heads` are the heads found in the log.

    Events sealed in the meantime are not checked. `progress` is called with the number of events
    checked and the total.
    """
    async with platform.database.reading() as db:
        found = await chains.fetch_chains(db)
    total = sum(chain.number for chain, _ in found)
    breaches: list[Breach] = []
    checked = 0
    for chain, stored in found:
        secret = platform.keyring.open(stored, secret_place(chain))
        logged = [head for head in heads if head.institution_id == chain.institution_id]
        inspection = Inspection(chain, secret, logged)
        async for events in _walk(platform, chain):
            for event in events:
                inspection.check(event)
            checked += len(events)
            progress(checked, max(checked, total))
        breaches += inspection.finish()
    breaches += await _without_chain(platform, [chain for chain, _ in found], heads)
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


async def _without_chain(
    platform: Platform, found: Sequence[Chain], heads: Sequence[ChainHead]
) -> list[Breach]:
    """Report the institutions that have sealed events, or a head in the log, but no chain."""
    known = {chain.institution_id for chain in found}
    logged = [head.institution_id for head in heads]
    async with platform.database.reading() as db:
        sealed = set(await find_institutions(db, sealed=True))
        existing = set(await find_existing_institutions(db, logged))
    return [
        Breach(institution_id, Finding.CUT, 1)
        for institution_id in sorted((sealed | existing) - known)
    ]

"""Walks along the chains and tells what somebody changed, deleted, moved or cut."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from licet_server.audit.rules.chain import Inspection
from licet_server.audit.rules.model import Breach, Chain, Finding, Head, Record
from licet_server.audit.service.sealing import place_of
from licet_server.audit.storage import chains, records
from licet_server.kit.platform import Platform

EVENTS_A_STEP = 2_000


@dataclass(frozen=True, slots=True)
class Verification:
    """How many chains and events were looked at, and all that is wrong."""

    chains: int
    events: int
    breaches: list[Breach]


async def verify(
    platform: Platform, heads: Sequence[Head], progress: Callable[[int, int], None]
) -> Verification:
    """Look at every chain; `heads` are ends that the log has told.

    What is sealed meanwhile is not looked at. `progress` hears of events, of how many in all.
    """
    async with platform.database.reading() as db:
        found = await chains.fetch_chains(db)
    total = sum(chain.number for chain, _ in found)
    breaches: list[Breach] = []
    seen = 0
    for chain, stored in found:
        secret = platform.keyring.open(stored, place_of(chain))
        mine = [head for head in heads if head.institution_id == chain.institution_id]
        inspection = Inspection(chain, secret, mine)
        async for items in _walk(platform, chain):
            for item in items:
                inspection.take(item)
            seen += len(items)
            progress(seen, max(seen, total))
        breaches += inspection.end()
    breaches += await _without_chain(platform, [chain for chain, _ in found], heads)
    return Verification(len(found), seen, breaches)


async def _walk(platform: Platform, chain: Chain) -> AsyncIterator[list[Record]]:
    after = 0
    while after < chain.number:
        limit = min(EVENTS_A_STEP, chain.number - after)
        async with platform.database.reading() as db:
            items = await records.fetch_sealed(db, chain.institution_id, after, limit)
        items = [item for item in items if (item.seal_number or 0) <= chain.number]
        if not items:
            return
        yield items
        after = items[-1].seal_number or 0


async def _without_chain(
    platform: Platform, found: Sequence[Chain], heads: Sequence[Head]
) -> list[Breach]:
    """Institutions whose chain is gone although events or the log know of it."""
    known = {chain.institution_id for chain in found}
    async with platform.database.reading() as db:
        sealed = set(await records.find_sealed_institutions(db))
        existing = set(await records.keep_existing(db, [head.institution_id for head in heads]))
    return [
        Breach(institution_id, Finding.CUT, 1)
        for institution_id in sorted((sealed | existing) - known)
    ]

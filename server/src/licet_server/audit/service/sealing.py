"""Puts events into the chain of their institution."""

import secrets
from dataclasses import replace
from uuid import UUID

import structlog

from licet_server.audit.rules.chain import START, extend, mark_of
from licet_server.audit.rules.model import Chain
from licet_server.audit.storage import chains, records
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_A_STEP = 500
_SECRET_BYTES = 32

_log = structlog.get_logger("licet.audit")


async def seal_events(platform: Platform) -> int:
    """Seal what is not sealed yet, in bounded steps; answers how many events.

    Whoever extends a chain holds it, so that several processes do not disturb each other. The end
    of each extended chain goes to the log, where nobody who changes the database can reach it.
    """
    async with platform.database.reading() as db:
        waiting = await records.find_unsealed_institutions(db)
    return sum([await _seal_all(platform, institution_id) for institution_id in waiting])


def place_of(chain: Chain) -> str:
    """Where the secret of a chain is stored, which it is sealed for."""
    return f"audit_chains.secret:{chain.id}"


async def _seal_all(platform: Platform, institution_id: UUID) -> int:
    total = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            extended = await _extend(work, institution_id)
        if extended is None:
            return total
        chain, count = extended
        _log.info(
            "audit_sealed",
            institution_id=str(chain.institution_id),
            number=chain.number,
            seal=chain.seal.hex(),
        )
        total += count
        if count < EVENTS_A_STEP:
            return total


async def _extend(work: UnitOfWork, institution_id: UUID) -> tuple[Chain, int] | None:
    if not await chains.has_chain(work.db, institution_id):
        await _begin(work, institution_id)
    claimed = await chains.claim_chain(work.db, institution_id)
    if claimed is None:
        return None
    chain, stored = claimed
    items = await records.fetch_unsealed(work.db, institution_id, EVENTS_A_STEP)
    if not items:
        return None
    secret = work.keyring.open(stored, place_of(chain))
    sealed = extend(secret, chain.number, chain.seal, items)
    await records.save_seals(work.db, sealed)
    _, number, seal = sealed[-1]
    end = replace(chain, number=number, seal=seal, mark=mark_of(secret, number, seal))
    await chains.save_end(work.db, end, work.now)
    return end, len(sealed)


async def _begin(work: UnitOfWork, institution_id: UUID) -> None:
    secret = secrets.token_bytes(_SECRET_BYTES)
    chain = Chain(institution_id, work.new_id(), 0, START, mark_of(secret, 0, START))
    stored = work.keyring.seal(secret, place_of(chain))
    await chains.begin_chain(work.db, chain, stored, work.now)

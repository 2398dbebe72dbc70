"""Adds events to the chain of their institution."""

import secrets
from dataclasses import replace
from uuid import UUID

import structlog

from licet_server.audit.rules.chain import START, extend, mark_of
from licet_server.audit.rules.model import Chain
from licet_server.audit.storage import chains
from licet_server.events.service.sealing import fetch_unsealed, find_institutions, save_seals
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_PER_STEP = 500
_SECRET_BYTES = 32

_log = structlog.get_logger("licet.audit")


async def seal_events(platform: Platform) -> int:
    """Seal all unsealed events in bounded steps; returns how many.

    A chain is locked while it is extended, so processes do not interfere. The head of each extended
    chain is written to the log, which write access to the database cannot reach.
    """
    async with platform.database.reading() as db:
        waiting = await find_institutions(db, sealed=False)
    return sum([await _seal_all(platform, institution_id) for institution_id in waiting])


def secret_place(chain: Chain) -> str:
    """Return the place that the secret of a chain is encrypted for."""
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
        if count < EVENTS_PER_STEP:
            return total


async def _extend(work: UnitOfWork, institution_id: UUID) -> tuple[Chain, int] | None:
    if not await chains.has_chain(work.db, institution_id):
        await _create_chain(work, institution_id)
    locked = await chains.lock_chain(work.db, institution_id)
    if locked is None:
        return None
    chain, stored = locked
    events = await fetch_unsealed(work.db, institution_id, EVENTS_PER_STEP)
    if not events:
        return None
    secret = work.keyring.open(stored, secret_place(chain))
    sealed = extend(secret, chain.number, chain.seal, events)
    await save_seals(work.db, sealed)
    _, number, seal = sealed[-1]
    head = replace(chain, number=number, seal=seal, mark=mark_of(secret, number, seal))
    await chains.save_head(work.db, head, work.now)
    return head, len(sealed)


async def _create_chain(work: UnitOfWork, institution_id: UUID) -> None:
    secret = secrets.token_bytes(_SECRET_BYTES)
    chain = Chain(
        institution_id=institution_id,
        id=work.new_id(),
        number=0,
        seal=START,
        mark=mark_of(secret, 0, START),
    )
    stored = work.keyring.seal(secret, secret_place(chain))
    await chains.insert_chain(work.db, chain, stored, work.now)

"""Sealing of events in the chain of their institution."""

import secrets
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import structlog

from licet_server.events.rules.chain import SALT_BYTES, START, Chain, extend, is_marked, mark_of
from licet_server.events.rules.model import INSTANCE, UNREADABLE
from licet_server.events.storage import chains
from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.keyring import CannotOpen, Keyring
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

EVENTS_PER_STEP = 500
_SECRET_BYTES = 32

_log = structlog.get_logger("licet.audit")


async def begin_chain(work: UnitOfWork, institution_id: UUID = INSTANCE) -> None:
    """Begin the chain of an institution, or of the instance, with the creation of either.

    Nothing else begins one: a chain that is gone is a finding, and not a reason for a new one.
    """
    secret = secrets.token_bytes(_SECRET_BYTES)
    chain = Chain(
        institution_id=institution_id,
        id=work.new_id(),
        number=0,
        seal=START,
        mark=mark_of(secret, institution_id, 0, START),
    )
    stored = work.keyring.seal(secret, _secret_place(chain))
    await chains.insert_chain(work.db, chain, stored, work.now)


async def seal_events(platform: Platform) -> int:
    """Seal all unsealed events in bounded steps; returns how many.

    A chain is locked while it is extended, so processes do not interfere. The head of each extended
    chain is written to the log, which write access to the database cannot reach.
    """
    async with platform.database.reading() as db:
        waiting = await chains.find_institutions(db, sealed=False)
        existing = await chains.find_chains(db, waiting)
    for institution_id in sorted(set(waiting) - existing):
        _log.error(
            "audit_chain_missing",
            institution_id=str(institution_id),
            advice="Run licet-server audit verify, and keep a copy of the database.",
        )
    total = 0
    for institution_id in waiting:
        if institution_id in existing:
            try:
                total += await _seal_all(platform, institution_id)
            except UNREADABLE:
                _log.exception("audit_event_unreadable", institution_id=str(institution_id))
    return total


async def measure_unsealed(db: Connection, _now: datetime) -> Backlog:
    """Measure the events that wait for their seals."""
    return await chains.count_unsealed(db)


async def has_chain(db: Connection, institution_id: UUID) -> bool:
    """Tell whether an institution has a chain, as deleted ones do."""
    return bool(await chains.find_chains(db, [institution_id]))


async def list_chained(db: Connection) -> list[UUID]:
    """List the institutions that have a chain, the instance and deleted ones included."""
    return await chains.list_chained(db)


async def has_sealed_events(db: Connection, institution_id: UUID) -> bool:
    """Tell whether an institution has sealed events."""
    return bool(await chains.fetch_sealed(db, institution_id, 0, 1))


async def fetch_secret(db: Connection, keyring: Keyring, institution_id: UUID) -> bytes | None:
    """Fetch the secret of a chain; `None` if there is none that was encrypted for it."""
    found = await chains.fetch_chain(db, institution_id)
    return None if found is None else open_secret(keyring, *found)


def open_secret(keyring: Keyring, chain: Chain, stored: bytes) -> bytes | None:
    """Decrypt the secret of a chain; `None` if it was not encrypted for this chain."""
    try:
        return keyring.open(stored, _secret_place(chain))
    except CannotOpen:
        return None


def _secret_place(chain: Chain) -> str:
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
    locked = await chains.lock_chain(work.db, institution_id)
    if locked is None:
        return None
    chain, stored = locked
    secret = open_secret(work.keyring, chain, stored)
    if secret is None or not is_marked(secret, chain):
        _log.error("audit_chain_replaced", institution_id=str(institution_id))
        return None
    events = await chains.fetch_unsealed(work.db, institution_id, EVENTS_PER_STEP)
    if not events:
        return None
    salted = ((event, secrets.token_bytes(SALT_BYTES)) for event in events)
    sealed = extend(secret, chain.number, chain.seal, salted)
    await chains.save_seals(work.db, sealed)
    _, number, seal, _ = sealed[-1]
    head = replace(
        chain, number=number, seal=seal, mark=mark_of(secret, institution_id, number, seal)
    )
    await chains.save_head(work.db, head, work.now)
    return head, len(sealed)

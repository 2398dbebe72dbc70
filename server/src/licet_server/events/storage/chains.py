"""Heads of chains, as they are stored."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.events.rules.chain import Chain
from licet_server.events.tables import audit_chains as chains
from licet_server.kit.database import Connection, Instant

_COLUMNS = (chains.c.institution_id, chains.c.id, chains.c.number, chains.c.seal, chains.c.mark)


async def fetch_times(db: Connection) -> tuple[datetime, datetime | None]:
    """Fetch the database's time, and that of the last seal, if a chain has begun."""
    statement = select(func.clock_timestamp(type_=Instant), func.max(chains.c.sealed_at))
    now, sealed_at = (await db.execute(statement)).one()
    return now, sealed_at


async def insert_chain(db: Connection, chain: Chain, secret: bytes, now: datetime) -> None:
    """Insert an empty chain, unless the institution has one."""
    statement = insert(chains).values(**asdict(chain), secret=secret, sealed_at=now)
    await db.execute(statement.on_conflict_do_nothing())


async def lock_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Lock a chain until the transaction ends; returns it with its encrypted secret.

    Returns `None` if there is no chain, or another process is extending it.
    """
    return await _fetch(db, _of(institution_id).with_for_update(skip_locked=True))


async def hold_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Lock a chain as `lock_chain` does, but wait for a process that is extending it."""
    return await _fetch(db, _of(institution_id).with_for_update())


async def fetch_chain(db: Connection, institution_id: UUID) -> tuple[Chain, bytes] | None:
    """Fetch a chain with its encrypted secret."""
    return await _fetch(db, _of(institution_id))


def _of(institution_id: UUID) -> Select[Any]:
    return select(*_COLUMNS, chains.c.secret).where(chains.c.institution_id == institution_id)


async def _fetch(db: Connection, statement: Select[Any]) -> tuple[Chain, bytes] | None:
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (Chain(*row[:-1]), row.secret)


async def list_chained(db: Connection) -> list[UUID]:
    """List the institutions that have a chain, the instance included."""
    statement = select(chains.c.institution_id).order_by(chains.c.institution_id)
    return list((await db.execute(statement)).scalars())


async def find_chains(db: Connection, among: Collection[UUID]) -> set[UUID]:
    """Find the institutions, among these, that have a chain."""
    statement = select(chains.c.institution_id).where(chains.c.institution_id.in_(among))
    return set((await db.execute(statement)).scalars())


async def save_head(db: Connection, chain: Chain, now: datetime) -> None:
    """Store the new head of a chain."""
    await db.execute(
        update(chains)
        .where(chains.c.institution_id == chain.institution_id, chains.c.id == chain.id)
        .values(number=chain.number, seal=chain.seal, mark=chain.mark, sealed_at=now)
    )


async def fetch_chains(db: Connection) -> list[tuple[Chain, bytes]]:
    """Fetch every chain with its encrypted secret."""
    rows = await db.execute(select(*_COLUMNS, chains.c.secret).order_by(chains.c.institution_id))
    return [(Chain(*row[:-1]), row.secret) for row in rows]


async def claim_new_heads(db: Connection) -> list[Chain]:
    """Mark the heads that have moved since they were anchored as anchored, and return them.

    A head that another process has claimed and not committed yet is left out.
    """
    moved = (
        select(chains.c.institution_id)
        .where(chains.c.number > chains.c.anchored)
        .with_for_update(skip_locked=True)
    )
    statement = (
        update(chains)
        .where(chains.c.institution_id.in_(moved))
        .values(anchored=chains.c.number)
        .returning(*_COLUMNS)
    )
    return [Chain(*row) for row in await db.execute(statement)]

"""Queries of erasures that archives are still to follow."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from licet_server.archives.tables import erasures
from licet_server.kit.database import Connection


async def insert_erasure(
    db: Connection, institution_id: UUID, erasure_id: UUID, traces: bytes, now: datetime
) -> None:
    """Store an erasure with its encrypted traces."""
    values = {"institution_id": institution_id, "id": erasure_id, "traces": traces}
    await db.execute(insert(erasures).values(**values, created_at=now))


async def list_erasures(db: Connection) -> list[tuple[UUID, UUID, bytes]]:
    """List institution, ID and encrypted traces of all erasures, oldest first."""
    statement = select(erasures.c.institution_id, erasures.c.id, erasures.c.traces)
    rows = await db.execute(statement.order_by(erasures.c.created_at, erasures.c.id))
    return [(row.institution_id, row.id, row.traces) for row in rows]


async def lock_erasure(db: Connection, institution_id: UUID, erasure_id: UUID) -> bool:
    """Lock an erasure until the transaction ends; `False` if another process has, or it is done."""
    statement = select(erasures.c.id).where(_same(institution_id, erasure_id))
    return (await db.execute(statement.with_for_update(skip_locked=True))).first() is not None


async def save_traces(
    db: Connection, institution_id: UUID, erasure_id: UUID, traces: bytes
) -> None:
    """Replace the encrypted traces."""
    same = _same(institution_id, erasure_id)
    await db.execute(update(erasures).where(same).values(traces=traces))


async def delete_erasure(db: Connection, institution_id: UUID, erasure_id: UUID) -> None:
    await db.execute(delete(erasures).where(_same(institution_id, erasure_id)))


def _same(institution_id: UUID, erasure_id: UUID) -> ColumnElement[bool]:
    return and_(erasures.c.institution_id == institution_id, erasures.c.id == erasure_id)

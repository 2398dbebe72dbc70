"""`Idempotency-Key`: the response to a request is stored with its effect, and replayed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    bindparam,
    delete,
    false,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import GLOBAL, Bytes, Connection, Instant, String, metadata
from licet_server.kit.errors import ErrorCode, Refused, conflict
from licet_server.kit.platform import Platform

idempotency_records = Table(
    "idempotency_records",
    metadata,
    Column("caller", String, nullable=False),
    Column("route", String, nullable=False),
    Column("key", String, nullable=False),
    Column("body_hash", Bytes, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("status", Integer),
    Column("answer", Bytes),
    PrimaryKeyConstraint("caller", "route", "key"),
    Index(None, "created_at"),
    info=GLOBAL,
)


KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The status and body of the first response."""

    status: int
    body: bytes


async def claim(
    db: Connection, caller: str, route: str, key: str, body_hash: bytes, now: datetime
) -> StoredResponse | None:
    """Claim the key in this transaction, or return the stored response.

    A second request with the same key waits here until the first has committed (and gets its
    response) or has rolled back (and then does the work itself).

    Raises:
        Refused: `IdempotencyKeyReused` when the key was used with another body.
    """
    new = insert(idempotency_records).values(
        caller=caller, route=route, key=key, body_hash=body_hash, created_at=now
    )
    # An expired record that is not purged yet is as good as none.
    claimed = await db.execute(
        new.on_conflict_do_update(
            constraint=idempotency_records.primary_key,
            set_={
                "body_hash": new.excluded.body_hash,
                "created_at": new.excluded.created_at,
                "status": None,
                "answer": None,
            },
            where=idempotency_records.c.created_at < now - KEPT_FOR,
        ).returning(idempotency_records.c.key)
    )
    if claimed.first() is not None:
        return None
    found = await db.execute(select(idempotency_records).where(_same(caller, route, key)))
    row = found.one_or_none()
    if row is None or row.answer is None:
        raise conflict("A request with this Idempotency-Key is in progress. Try again.")
    if row.body_hash != body_hash:
        raise Refused(
            ErrorCode.IDEMPOTENCY_KEY_REUSED,
            "This Idempotency-Key was used with another body. Use a new key for a new request.",
        )
    return StoredResponse(row.status, row.answer)


async def store_response(
    db: Connection, caller: str, route: str, key: str, response: StoredResponse
) -> None:
    """Store the response in the same transaction as its effect."""
    await db.execute(
        update(idempotency_records)
        .where(_same(caller, route, key))
        .values(status=response.status, answer=response.body)
    )


async def forget_responses(db: Connection, ids: Collection[UUID]) -> None:
    """Delete the records of responses that contain one of these IDs."""
    written = func.encode(idempotency_records.c.answer, "escape")
    await db.execute(
        delete(idempotency_records).where(
            or_(false(), *(func.strpos(written, str(item)) > 0 for item in ids))
        )
    )


_expired = (
    select(idempotency_records.c.caller, idempotency_records.c.route, idempotency_records.c.key)
    .where(idempotency_records.c.created_at < bindparam("before", type_=Instant))
    .order_by(idempotency_records.c.created_at)
    .limit(bindparam("most", type_=Integer))
    .with_for_update(skip_locked=True)
)
_DELETE_EXPIRED = delete(idempotency_records).where(
    tuple_(
        idempotency_records.c.caller, idempotency_records.c.route, idempotency_records.c.key
    ).in_(_expired)
)


async def delete_expired(db: Connection, now: datetime, most: int) -> int:
    """Delete the oldest expired records, at most `most`, and return their number.

    Records that another transaction has locked are left for the next time.
    """
    given = {"before": now - KEPT_FOR, "most": most}
    return (await db.execute(_DELETE_EXPIRED, given)).rowcount


def _same(caller: str, route: str, key: str) -> ColumnElement[bool]:
    return (
        (idempotency_records.c.caller == caller)
        & (idempotency_records.c.route == route)
        & (idempotency_records.c.key == key)
    )


BATCH_SIZE = 1_000
_BATCHES_PER_RUN = 50


async def purge_idempotency_keys(platform: Platform) -> int:
    """Delete records that are no longer kept, up to a limit per run; returns their number."""
    now, total = platform.clock(), 0
    for _ in range(_BATCHES_PER_RUN):
        async with platform.database.transaction() as db:
            deleted = await delete_expired(db, now, BATCH_SIZE)
        total += deleted
        if deleted < BATCH_SIZE:
            break
    return total

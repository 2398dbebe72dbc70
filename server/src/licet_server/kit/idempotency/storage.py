"""Claims a key for a request, or finds the answer that was given to it before."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode, Refused, conflict
from licet_server.kit.idempotency.tables import idempotency_records as records

KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """Status and body of the first answer."""

    status: int
    body: bytes


async def claim(
    db: Connection, caller: str, route: str, key: str, body_hash: bytes, now: datetime
) -> StoredResponse | None:
    """Claim the key in this transaction, or answer what was answered before.

    A second request with the same key waits here until the first has committed (and is then
    answered the same) or was rolled back (and then does the work itself).

    Raises:
        Refused: `IdempotencyKeyReused` when the key came with another body.
    """
    expired = (records.c.caller == caller) & (records.c.created_at < now - KEPT_FOR)
    await db.execute(delete(records).where(expired))
    claimed = await db.execute(
        insert(records)
        .values(caller=caller, route=route, key=key, body_hash=body_hash, created_at=now)
        .on_conflict_do_nothing()
        .returning(records.c.key)
    )
    if claimed.first() is not None:
        return None
    found = await db.execute(select(records).where(_same(caller, route, key)))
    row = found.one_or_none()
    if row is None or row.answer is None:
        raise conflict("A request with this Idempotency-Key is being worked on. Try again.")
    if row.body_hash != body_hash:
        raise Refused(
            ErrorCode.IDEMPOTENCY_KEY_REUSED,
            "This Idempotency-Key was used with another body. Use a new key for a new request.",
        )
    return StoredResponse(row.status, row.answer)


async def store_response(
    db: Connection, caller: str, route: str, key: str, answer: StoredResponse
) -> None:
    """Keep the answer beside its effect, in the same transaction."""
    await db.execute(
        update(records)
        .where(_same(caller, route, key))
        .values(status=answer.status, answer=answer.body)
    )


def _same(caller: str, route: str, key: str) -> ColumnElement[bool]:
    return (records.c.caller == caller) & (records.c.route == route) & (records.c.key == key)

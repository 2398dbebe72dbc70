"""The outbox: one row per e-mail, kept for 30 days, and its queries."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Column,
    Index,
    Integer,
    Row,
    Table,
    and_,
    delete,
    func,
    literal_column,
    select,
    text,
    update,
)

from licet_server.kit.backlogs import Backlog, count_waiting
from licet_server.kit.database import (
    GLOBAL,
    SEALED,
    Bytes,
    Connection,
    Id,
    Instant,
    String,
    metadata,
)
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.statements import insert_rows
from licet_server.kit.text import ERASED

mails = Table(
    "mails",
    metadata,
    Column("id", Id, primary_key=True),
    Column("vendor_id", Id),
    Column("recipient", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("paragraphs", Bytes, info=SEALED),
    Column("status", String, nullable=False),
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("sent_at", Instant),
    CheckConstraint("status IN ('Waiting', 'Sent', 'Failed')", name="status"),
    Index("mails_due_idx", "due_at", postgresql_where=text("status = 'Waiting'")),
    Index("mails_created_at_idx", "created_at"),
    info=GLOBAL,
)


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A row of the outbox."""

    id: UUID
    vendor_id: UUID | None
    recipient: str
    subject: str
    sealed: bytes | None
    status: str
    attempts: int
    created_at: datetime
    sent_at: datetime | None


def _stored(row: Row[Any]) -> StoredMail:
    return StoredMail(
        row.id,
        row.vendor_id,
        row.recipient,
        row.subject,
        row.paragraphs,
        row.status,
        row.attempts,
        row.created_at,
        row.sent_at,
    )


async def insert_mail(db: Connection, mail: StoredMail) -> None:
    """Insert a row that is due at once."""
    row = {
        "id": mail.id,
        "vendor_id": mail.vendor_id,
        "recipient": mail.recipient,
        "subject": mail.subject,
        "paragraphs": mail.sealed,
        "status": mail.status,
        "created_at": mail.created_at,
        "due_at": mail.created_at,
    }
    await insert_rows(db, mails, [row])


async def list_mails(db: Connection, paging: Paging) -> Listing[StoredMail]:
    """List all rows, newest first."""
    listing = await fetch_listing(
        db,
        select(mails),
        paging,
        id_column=mails.c.id,
        sortable={"createdAt": mails.c.created_at},
    )
    return listing.of(_stored)


async def fetch_failed(
    db: Connection, written_after: datetime, limit: int
) -> tuple[int, list[StoredMail]]:
    """Count the rows that could not be sent, and fetch the newest of them."""
    failed = and_(mails.c.created_at >= written_after, mails.c.status == "Failed")
    count = (await db.execute(select(func.count()).where(failed))).scalar_one()
    newest = select(mails).where(failed).order_by(mails.c.id.desc()).limit(limit)
    return int(count), [_stored(row) for row in await db.execute(newest)]


async def list_waiting(db: Connection) -> list[StoredMail]:
    """List the waiting rows, oldest first."""
    statement = select(mails).where(mails.c.status == "Waiting").order_by(mails.c.id)
    return [_stored(row) for row in await db.execute(statement)]


async def count_waiting_mails(db: Connection) -> Backlog:
    """Count the rows that wait; their instants are those of their creation."""
    is_waiting = mails.c.status == literal_column("'Waiting'")  # a parameter hides the index
    return await count_waiting(
        db, select(mails.c.created_at).where(is_waiting).order_by(mails.c.due_at)
    )


async def claim_due(
    db: Connection, now: datetime, lease: timedelta, limit: int
) -> list[StoredMail]:
    """Claim the rows that are due for `lease`; those not settled by then are due again.

    Concurrent callers get different rows.
    """
    due = (
        select(mails.c.id)
        .where(mails.c.status == "Waiting", mails.c.due_at <= now)
        .order_by(mails.c.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    statement = (
        update(mails)
        .where(mails.c.id.in_(due.scalar_subquery()))
        .values(due_at=now + lease)
        .returning(mails)
    )
    rows = (await db.execute(statement)).all()
    return sorted((_stored(row) for row in rows), key=lambda mail: mail.id)


async def mark_sent(db: Connection, mail_id: UUID, now: datetime) -> None:
    """Mark as sent, and delete the text."""
    await db.execute(
        update(mails)
        .where(mails.c.id == mail_id)
        .values(status="Sent", sent_at=now, paragraphs=None)
    )


async def postpone(db: Connection, mail_id: UUID, due_at: datetime) -> None:
    """Count a failed attempt, and set the next one."""
    await db.execute(
        update(mails)
        .where(mails.c.id == mail_id, mails.c.status == "Waiting")
        .values(attempts=mails.c.attempts + 1, due_at=due_at)
    )


async def give_up(db: Connection, written_before: datetime) -> list[StoredMail]:
    """Mark old waiting rows as failed, and return them."""
    ended = await db.execute(
        update(mails)
        .where(mails.c.status == "Waiting", mails.c.created_at < written_before)
        .values(status="Failed")
        .returning(mails)
    )
    return [_stored(row) for row in ended]


async def delete_old(db: Connection, written_before: datetime) -> None:
    await db.execute(delete(mails).where(mails.c.created_at < written_before))


async def delete_to(db: Connection, emails: Collection[str]) -> None:
    """Delete the rows with these recipients, in lower case."""
    await db.execute(delete(mails).where(func.lower(mails.c.recipient).in_(emails)))


async def delete_of_vendor(db: Connection, vendor_id: UUID, emails: Collection[str]) -> None:
    """Delete the rows of a vendor with these recipients, in lower case."""
    is_to = func.lower(mails.c.recipient).in_(emails)
    await db.execute(delete(mails).where(mails.c.vendor_id == vendor_id, is_to))


async def delete_mails(db: Connection, mail_ids: Collection[UUID]) -> None:
    """Delete these rows."""
    await db.execute(delete(mails).where(mails.c.id.in_(mail_ids)))


async def erase_subject(db: Connection, recipient: str, subject: str, created_at: datetime) -> None:
    """Replace a subject in the rows with this recipient and instant."""
    await db.execute(
        update(mails)
        .where(
            func.lower(mails.c.recipient) == recipient.lower(),
            mails.c.subject == subject,
            mails.c.created_at == created_at,
        )
        .values(subject=ERASED)
    )

"""The outbox: one row per email, queued in a transaction and kept for 30 days."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec
from sqlalchemy import (
    CheckConstraint,
    Column,
    Index,
    Integer,
    Table,
    and_,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    text,
    true,
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
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail.emails import Email, Letter
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.text import ERASED, one_line
from licet_server.kit.unit_of_work import UnitOfWork

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


class MailStatus(StrEnum):
    """The delivery status of an email."""

    WAITING = "Waiting"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMail:
    """A row of the outbox; the sealed `paragraphs`, or letter, are deleted once it is sent."""

    id: UUID
    vendor_id: UUID | None
    recipient: str
    subject: str
    paragraphs: bytes | None = field(repr=False)
    status: MailStatus = MailStatus.WAITING
    attempts: int = 0
    created_at: datetime
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """An email in the outbox; its text is deleted once it is sent."""

    id: UUID
    recipient: str
    subject: str
    text: str | None = field(repr=False)
    status: MailStatus
    created_at: datetime
    sent_at: datetime | None


_MAILS = Rows[StoredMail, None](
    mails, StoredMail, lambda _: true(), sortable={"createdAt": mails.c.created_at}
)
_IS_WAITING = mails.c.status == MailStatus.WAITING
_Content = list[str] | Letter
"""What is sealed of an email."""


async def write(work: UnitOfWork, email: Email) -> UUID:
    """Queue an email, which is sent only if the transaction commits; returns its ID."""
    mail_id = work.new_id()
    content: _Content = list(email.paragraphs) if email.letter is None else email.letter
    waiting = StoredMail(
        id=mail_id,
        vendor_id=email.vendor_id,
        recipient=email.recipient,
        subject=one_line(email.subject),
        paragraphs=work.keyring.seal(msgspec.json.encode(content), _place(mail_id)),
        created_at=work.now,
    )
    await _MAILS.insert(work.db, waiting, due_at=work.now)
    return mail_id


async def delete_to(work: UnitOfWork, emails: Collection[str]) -> None:
    """Delete the emails to these addresses, in lower case, whether or not they were sent."""
    await work.db.execute(delete(mails).where(func.lower(mails.c.recipient).in_(emails)))


async def delete_of_vendor(work: UnitOfWork, vendor_id: UUID, emails: Collection[str]) -> None:
    """Delete the emails in a vendor's name to these addresses, in lower case."""
    is_to = func.lower(mails.c.recipient).in_(emails)
    await work.db.execute(delete(mails).where(mails.c.vendor_id == vendor_id, is_to))


async def delete_written(work: UnitOfWork, mail_ids: Collection[UUID]) -> None:
    """Delete these emails, whether or not they were sent."""
    if mail_ids:
        await work.db.execute(delete(mails).where(mails.c.id.in_(mail_ids)))


async def erase_subject(
    work: UnitOfWork, recipient: str, subject: str, written_at: datetime
) -> None:
    """Replace the subject of the email that was written to an address at this instant."""
    await work.db.execute(
        update(mails)
        .where(
            func.lower(mails.c.recipient) == recipient.lower(),
            mails.c.subject == subject,
            mails.c.created_at == written_at,
        )
        .values(subject=ERASED)
    )


def email_of(keyring: Keyring, stored: StoredMail) -> Email:
    """Open the email in a row.

    Raises:
        CannotOpen: when the master key it was sealed under is missing.
    """
    if stored.paragraphs is None:
        return Email(stored.recipient, stored.subject)
    opened = keyring.open(stored.paragraphs, _place(stored.id))
    content: _Content = msgspec.json.decode(opened, type=_Content)
    if isinstance(content, Letter):
        return Email(stored.recipient, stored.subject, letter=content)
    return Email(stored.recipient, stored.subject, content)


async def measure_waiting(db: Connection, _now: datetime) -> Backlog:
    """Measure the emails that wait, since when they were written."""
    is_waiting = mails.c.status == literal_column("'Waiting'")  # a parameter hides the index
    return await count_waiting(
        db, select(mails.c.created_at).where(is_waiting).order_by(mails.c.due_at)
    )


async def list_mails(db: Connection, keyring: Keyring, paging: Paging) -> Listing[Mail]:
    """List the emails in the outbox, newest first."""
    listing = await _MAILS.page(db, None, paging)
    return listing.of(lambda stored: _shown(keyring, stored))


async def fetch_waiting(db: Connection) -> list[StoredMail]:
    """Fetch the emails that are not sent yet, oldest first, as they are stored."""
    return await _MAILS.all(db, _MAILS.select(_IS_WAITING).order_by(mails.c.id))


async def list_waiting(db: Connection, keyring: Keyring) -> list[Mail]:
    """List the emails that are not sent yet, oldest first."""
    return [_shown(keyring, stored) for stored in await fetch_waiting(db)]


_FAILED = and_(
    mails.c.created_at >= bindparam("written_after", type_=Instant),
    mails.c.status == MailStatus.FAILED,
)
_COUNT_FAILED = select(func.count()).where(_FAILED)
_NEWEST_FAILED = (
    _MAILS.select(_FAILED).order_by(mails.c.id.desc()).limit(bindparam("limit", type_=Integer))
)


async def find_failed(
    db: Connection, written_after: datetime, limit: int
) -> tuple[int, list[StoredMail]]:
    """Count the emails that could not be sent, and find the newest of them."""
    given = {"written_after": written_after}
    count = (await db.execute(_COUNT_FAILED, given)).scalar_one()
    return int(count), await _MAILS.all(db, _NEWEST_FAILED, {**given, "limit": limit})


async def claim_due(
    db: Connection, now: datetime, lease: timedelta, limit: int
) -> list[StoredMail]:
    """Claim the emails that are due for `lease`; those not settled by then are due again.

    Concurrent callers get different ones.
    """
    due = (
        select(mails.c.id)
        .where(_IS_WAITING, mails.c.due_at <= now)
        .order_by(mails.c.due_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    statement = (
        update(mails)
        .where(mails.c.id.in_(due.scalar_subquery()))
        .values(due_at=now + lease)
        .returning(*_MAILS.columns)
    )
    claimed = [_MAILS.item(row) for row in await db.execute(statement)]
    return sorted(claimed, key=lambda mail: mail.id)


async def mark_sent(db: Connection, mail_id: UUID, now: datetime) -> None:
    """Mark as sent, and delete the text."""
    await db.execute(
        update(mails)
        .where(mails.c.id == mail_id)
        .values(status=MailStatus.SENT, sent_at=now, paragraphs=None)
    )


async def postpone(db: Connection, mail_id: UUID, due_at: datetime) -> None:
    """Count a failed attempt, and set the next one."""
    await db.execute(
        update(mails)
        .where(mails.c.id == mail_id, _IS_WAITING)
        .values(attempts=mails.c.attempts + 1, due_at=due_at)
    )


async def give_up(db: Connection, written_before: datetime) -> list[StoredMail]:
    """Mark old waiting emails as failed, and return them."""
    ended = await db.execute(
        update(mails)
        .where(_IS_WAITING, mails.c.created_at < written_before)
        .values(status=MailStatus.FAILED)
        .returning(*_MAILS.columns)
    )
    return [_MAILS.item(row) for row in ended]


async def delete_old(db: Connection, written_before: datetime) -> None:
    await db.execute(delete(mails).where(mails.c.created_at < written_before))


def _shown(keyring: Keyring, stored: StoredMail) -> Mail:
    text = None if stored.paragraphs is None else email_of(keyring, stored).text
    return Mail(
        stored.id,
        stored.recipient,
        stored.subject,
        text,
        stored.status,
        stored.created_at,
        stored.sent_at,
    )


def _place(mail_id: UUID) -> str:
    return f"mails.paragraphs:{mail_id}"

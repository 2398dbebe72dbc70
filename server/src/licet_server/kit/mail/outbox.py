"""Queues e-mails in the outbox, and lists its content."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from licet_server.kit.backlogs import Backlog
from licet_server.kit.database import Connection
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail import storage
from licet_server.kit.mail.emails import Email, Letter
from licet_server.kit.mail.storage import StoredMail
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.text import one_line
from licet_server.kit.unit_of_work import UnitOfWork


class MailStatus(StrEnum):
    """The delivery status of an e-mail."""

    WAITING = "Waiting"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True)
class Mail:
    """An e-mail in the outbox; its text is deleted once it is sent."""

    id: UUID
    recipient: str
    subject: str
    text: str | None = field(repr=False)
    status: MailStatus
    created_at: datetime
    sent_at: datetime | None


_Content = list[str] | Letter
"""What is sealed of an e-mail."""


async def write(work: UnitOfWork, email: Email) -> UUID:
    """Queue an e-mail, which is sent only if the transaction commits; returns its ID."""
    mail_id = work.new_id()
    content: _Content = list(email.paragraphs) if email.letter is None else email.letter
    waiting = StoredMail(
        id=mail_id,
        vendor_id=email.vendor_id,
        recipient=email.recipient,
        subject=one_line(email.subject),
        sealed=work.keyring.seal(msgspec.json.encode(content), _place(mail_id)),
        status=MailStatus.WAITING,
        attempts=0,
        created_at=work.now,
        sent_at=None,
    )
    await storage.insert_mail(work.db, waiting)
    return mail_id


async def delete_to(work: UnitOfWork, emails: Collection[str]) -> None:
    """Delete the e-mails to these addresses, in lower case, whether or not they were sent."""
    await storage.delete_to(work.db, emails)


async def delete_of_vendor(work: UnitOfWork, vendor_id: UUID, emails: Collection[str]) -> None:
    """Delete the e-mails in a vendor's name to these addresses, in lower case."""
    await storage.delete_of_vendor(work.db, vendor_id, emails)


async def delete_written(work: UnitOfWork, mail_ids: Collection[UUID]) -> None:
    """Delete these e-mails, whether or not they were sent."""
    if mail_ids:
        await storage.delete_mails(work.db, mail_ids)


async def erase_subject(
    work: UnitOfWork, recipient: str, subject: str, written_at: datetime
) -> None:
    """Replace the subject of the e-mail that was written to an address at this instant."""
    await storage.erase_subject(work.db, recipient, subject, written_at)


def email_of(keyring: Keyring, stored: StoredMail) -> Email:
    """Open the e-mail in a row.

    Raises:
        CannotOpen: when the master key it was sealed under is missing.
    """
    if stored.sealed is None:
        return Email(stored.recipient, stored.subject)
    opened = keyring.open(stored.sealed, _place(stored.id))
    content: _Content = msgspec.json.decode(opened, type=_Content)
    if isinstance(content, Letter):
        return Email(stored.recipient, stored.subject, letter=content)
    return Email(stored.recipient, stored.subject, content)


async def measure_waiting(db: Connection, _now: datetime) -> Backlog:
    """Measure the e-mails that wait, since when they were written."""
    return await storage.count_waiting_mails(db)


async def list_mails(db: Connection, keyring: Keyring, paging: Paging) -> Listing[Mail]:
    """List the e-mails in the outbox, newest first."""
    listing = await storage.list_mails(db, paging)
    return listing.of(lambda stored: _shown(keyring, stored))


async def list_waiting(db: Connection, keyring: Keyring) -> list[Mail]:
    """List the e-mails that are not sent yet, oldest first."""
    return [_shown(keyring, stored) for stored in await storage.list_waiting(db)]


@dataclass(frozen=True, slots=True)
class FailedMail:
    """An e-mail that could not be sent."""

    id: UUID
    recipient: str
    subject: str
    created_at: datetime


async def find_failed(
    db: Connection, written_after: datetime, limit: int
) -> tuple[int, list[FailedMail]]:
    """Count the e-mails that could not be sent, and find the newest of them."""
    count, found = await storage.fetch_failed(db, written_after, limit)
    return count, [
        FailedMail(item.id, item.recipient, item.subject, item.created_at) for item in found
    ]


def _shown(keyring: Keyring, stored: StoredMail) -> Mail:
    text = None if stored.sealed is None else email_of(keyring, stored).text
    return Mail(
        stored.id,
        stored.recipient,
        stored.subject,
        text,
        MailStatus(stored.status),
        stored.created_at,
        stored.sent_at,
    )


def _place(mail_id: UUID) -> str:
    return f"mails.paragraphs:{mail_id}"

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
from licet_server.kit.mail.emails import Email, as_text
from licet_server.kit.mail.storage import StoredMail
from licet_server.kit.paging import Listing, Paging
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


async def write(work: UnitOfWork, email: Email) -> None:
    """Queue an e-mail; it is sent only if the transaction commits."""
    mail_id = work.new_id()
    sealed = work.keyring.seal(msgspec.json.encode(list(email.paragraphs)), _place(mail_id))
    subject = " ".join(email.subject.split())
    await storage.insert_mail(work.db, mail_id, email.recipient, subject, sealed, work.now)


async def delete_to(work: UnitOfWork, emails: Collection[str]) -> None:
    """Delete the e-mails to these addresses, in lower case, whether or not they were sent."""
    await storage.delete_to(work.db, emails)


async def erase_subjects(
    work: UnitOfWork, recipients: Collection[str], texts: Collection[str]
) -> None:
    """Replace the subjects of e-mails to these addresses, in lower case, with one of the texts."""
    await storage.erase_subjects(work.db, recipients, texts)


def email_of(keyring: Keyring, stored: StoredMail) -> Email:
    """Open the e-mail in a row.

    Raises:
        CannotOpen: when the master key it was sealed under is missing.
    """
    if stored.sealed is None:
        return Email(stored.recipient, stored.subject, ())
    opened = keyring.open(stored.sealed, _place(stored.id))
    return Email(stored.recipient, stored.subject, msgspec.json.decode(opened, type=list[str]))


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
    text = None if stored.sealed is None else as_text(email_of(keyring, stored).paragraphs)
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

"""Writes e-mails about licenses into the outbox, and a row about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.delivery.rules.composing import Composed
from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.model import TOO_MANY, LicenseMail, LicenseMailStatus
from licet_server.delivery.rules.templates import EffectiveTemplate
from licet_server.delivery.service.reading import mail_of
from licet_server.delivery.service.receivers import Addressed
from licet_server.delivery.storage import mails as storage
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.kit import mail
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An e-mail to write about a license; `locale` wins over that of the receiver.

    If it `is_too_much` for the receiver, it is only recorded, as failed.
    """

    addressed: Addressed
    kind: MailKind
    template: EffectiveTemplate
    locale: str | None = None
    is_too_much: bool = False


async def write_mails(work: UnitOfWork, drafts: Sequence[Draft]) -> list[LicenseMail]:
    """Queue e-mails; returns what is recorded of each."""
    written = [await _write(work, item) for item in drafts]
    await storage.insert_mails(work.db, written)
    pairs = zip(written, (item.addressed.license for item in drafts), strict=True)
    await record_events(work, [mail_event(item, license_) for item, license_ in pairs])
    return written


def as_letter(composed: Composed) -> mail.Letter:
    """Return the e-mail as the outbox takes it."""
    return mail.Letter(
        text=composed.text,
        html=mail.as_page(composed.locale, composed.html),
        sender_name=composed.sender_name,
        reply_to=composed.reply_to,
    )


def mail_event(item: LicenseMail, license_: License) -> Event:
    """Return the event that an e-mail about a license was written, or could not be sent."""
    has_failed = item.status is LicenseMailStatus.FAILED
    data = {
        "id": license_.id,
        "licenseName": license_.license_name,
        "productId": license_.product_id,
        "mailId": item.id,
        "mailKind": item.kind,
        "recipient": item.recipient,
        "locale": item.locale,
    }
    return Event(
        EventKind.LICENSE_MAIL_FAILED if has_failed else EventKind.LICENSE_MAILED,
        institution_id=item.institution_id,
        subject_id=license_.id,
        product_id=license_.product_id,
        data={**data, "error": item.error} if has_failed else data,
    )


async def _write(work: UnitOfWork, draft: Draft) -> LicenseMail:
    addressed = draft.addressed
    license_, receiver = addressed.license, addressed.receiver
    composed = await mail_of(draft.template, addressed.values, draft.locale or receiver.locale)
    return LicenseMail(
        institution_id=license_.institution_id,
        id=await _queue(work, draft, composed),
        license_id=license_.id,
        kind=draft.kind,
        recipient=receiver.email,
        locale=composed.locale,
        status=LicenseMailStatus.FAILED if draft.is_too_much else LicenseMailStatus.QUEUED,
        error=TOO_MANY if draft.is_too_much else None,
        created_at=work.now,
        sent_at=None,
    )


async def _queue(work: UnitOfWork, draft: Draft, composed: Composed) -> UUID:
    if draft.is_too_much:
        return work.new_id()
    email = mail.Email(
        draft.addressed.receiver.email,
        composed.subject,
        letter=as_letter(composed),
        vendor_id=draft.addressed.license.institution_id,
    )
    return await mail.write(work, email)

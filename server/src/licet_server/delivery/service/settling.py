"""Stores the outcomes of e-mails, as the outbox reports them."""

from collections.abc import Sequence

from licet_server.delivery.rules.model import LicenseMail, LicenseMailStatus, settled
from licet_server.delivery.service.writing import mail_event
from licet_server.delivery.storage.mails import MAILS
from licet_server.events.service.recording import record_events
from licet_server.kit.mail import MailStatus, Outcome
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.service.reading import find_by_ids

_STATUSES = {
    MailStatus.WAITING: LicenseMailStatus.QUEUED,
    MailStatus.SENT: LicenseMailStatus.SENT,
    MailStatus.FAILED: LicenseMailStatus.FAILED,
}


async def settle(work: UnitOfWork, outcomes: Sequence[Outcome]) -> None:
    """Store outcomes, and record each e-mail that newly counts as failed."""
    failed = [item for outcome in outcomes if (item := await _newly_failed(work, outcome))]
    if not failed:
        return
    institutions = tuple({item.institution_id for item in failed})
    ids = [item.license_id for item in failed]
    licenses = await find_by_ids(work.db, Visibility(institutions), ids)
    known = [item for item in failed if item.license_id in licenses]
    await record_events(work, [mail_event(item, licenses[item.license_id]) for item in known])


async def _newly_failed(work: UnitOfWork, outcome: Outcome) -> LicenseMail | None:
    current = await MAILS.lock(work.db, [outcome.vendor_id], outcome.mail_id)
    if current is None:
        return None
    changed = settled(current, _STATUSES[outcome.status], outcome.error, work.now)
    if changed == current:
        return None
    await MAILS.save(work.db, changed)
    return changed if changed.status is LicenseMailStatus.FAILED else None

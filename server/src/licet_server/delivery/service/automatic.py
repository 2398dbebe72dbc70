"""Mails licenses after events about them, if the vendor has chosen that.

This is an event subscriber: an e-mail is written in the transaction that dispatches the event, so
that each event causes one e-mail, or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID

from licet_server.delivery.rules.kinds import OCCASIONS, MailKind
from licet_server.delivery.rules.model import DAY, MAILS_PER_DAY, mismatch_of
from licet_server.delivery.rules.templates import EffectiveTemplate, MailTemplate, effective
from licet_server.delivery.service.receivers import address_licenses
from licet_server.delivery.service.writing import Draft, write_mails
from licet_server.delivery.storage import mails
from licet_server.delivery.storage.templates import fetch_of_institutions
from licet_server.events.rules.model import RecordedEvent
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.service.reading import find_by_ids


@dataclass(frozen=True, slots=True)
class _Occasion:
    """An event that causes an e-mail about a license."""

    institution_id: UUID
    license_id: UUID
    kind: MailKind
    template: EffectiveTemplate


async def mail_licenses(work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
    """Write the e-mails that follow from events.

    A new license is mailed if its event says so, and otherwise as its product does. A license that
    is gone, or of which the e-mail would no longer be true, is left out.
    """
    relevant = [event for event in events if event.kind in OCCASIONS]
    occasions = await _occasions(work, relevant) if relevant else []
    drafts = await _drafts(work, occasions) if occasions else []
    await write_mails(work, await _within_limit(work, drafts))


async def _occasions(work: UnitOfWork, events: Sequence[RecordedEvent]) -> list[_Occasion]:
    institutions = {event.institution_id for event in events}
    kinds = {OCCASIONS[event.kind] for event in events}
    found = await fetch_of_institutions(work.db, institutions, kinds)
    stored = {(item.institution_id, item.product_id, item.kind): item for item in found}
    pairs = ((event, _template(event, stored)) for event in events)
    return [
        _Occasion(event.institution_id, event.subject_id, OCCASIONS[event.kind], template)
        for event, template in pairs
        if _is_wanted(event, template)
    ]


def _template(
    event: RecordedEvent,
    stored: Mapping[tuple[UUID, UUID | None, MailKind], MailTemplate],
) -> EffectiveTemplate:
    kind = OCCASIONS[event.kind]
    own = stored.get((event.institution_id, event.product_id, kind))
    return effective(kind, own, stored.get((event.institution_id, None, kind)))


def _is_wanted(event: RecordedEvent, template: EffectiveTemplate) -> bool:
    asked = event.data.get("notify")
    return asked if isinstance(asked, bool) else template.automatic


async def _drafts(work: UnitOfWork, occasions: Sequence[_Occasion]) -> list[Draft]:
    institutions = tuple({item.institution_id for item in occasions})
    ids = list({item.license_id for item in occasions})
    licenses = await find_by_ids(work.db, Visibility(institutions), ids)
    addressed = await address_licenses(work, list(licenses.values()))
    return [
        Draft(addressed=addressed[item.license_id], kind=item.kind, template=item.template)
        for item in occasions
        if item.license_id in addressed
        and mismatch_of(item.kind, licenses[item.license_id]) is None
    ]


async def _within_limit(work: UnitOfWork, drafts: Sequence[Draft]) -> list[Draft]:
    """Mark the drafts that are too many for their receiver's day."""
    ordered = sorted(drafts, key=_receiver_of)
    to = {_receiver_of(item) for item in ordered}
    written = await mails.count_to(work.db, to, work.now - DAY) if to else {}
    marked: list[Draft] = []
    for receiver, group in groupby(ordered, _receiver_of):
        before = written.get(receiver, 0)
        marked += [
            replace(item, is_too_much=at >= MAILS_PER_DAY) for at, item in enumerate(group, before)
        ]
    return marked


def _receiver_of(draft: Draft) -> mails.Addressed:
    addressed = draft.addressed
    return addressed.license.institution_id, addressed.receiver.email.lower()

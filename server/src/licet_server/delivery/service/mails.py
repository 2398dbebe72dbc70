"""Emails about licenses: written for their receivers, and previewed.

No connection to the database is open while Markdown is parsed for a preview.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from licet_server.catalog.service.products import list_products
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.customers.service.customers import find_customers
from licet_server.delivery import errors, storage
from licet_server.delivery.rules.markdown import Values
from licet_server.delivery.rules.templates import (
    DAY,
    HOUR,
    MAILS_PER_DAY,
    OCCASIONS,
    SENDS_PER_HOUR,
    TOO_MANY,
    Composed,
    EffectiveTemplate,
    LicenseMail,
    LicenseMailFilter,
    LicenseMailStatus,
    MailKind,
    MailTemplate,
    Receiver,
    Surroundings,
    Translation,
    effective,
    example_values,
    mismatch_of,
    settled,
    values_of,
)
from licet_server.delivery.service.templates import (
    TemplateOwner,
    fetch_template,
    mail_of,
    preview_of,
    require_readable,
)
from licet_server.delivery.storage import MAILS, fetch_of_institutions
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, RecordedEvent
from licet_server.events.service.recording import record_events
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.appearance import (
    find_looks,
    find_renewal_pages,
    mailed_logo,
)
from licet_server.institutions.service.institutions import institution_names, time_zones
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.emails import is_email
from licet_server.kit.mail import MailStatus, Outcome
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.platform import Platform
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.terms import is_uuid
from licet_server.licenses.service.reading import fetch_details, find_by_ids, lock_license


@dataclass(frozen=True, slots=True)
class Addressed:
    """A license with its receiver, and what placeholders stand for in emails about it."""

    license: License
    receiver: Receiver
    values: Values
    look: mail.Look


def portal_address(address: str) -> str:
    """Return where customers see their licenses, of a service at this address."""
    return f"{address}/portal"


async def address_licenses(work: UnitOfWork, licenses: Sequence[License]) -> dict[UUID, Addressed]:
    """Return what is needed to write about licenses, by ID; those without an address are omitted.

    The name and the language are those of the customer, the address is the one that the license is
    issued to: with it they sign in to the portal.
    """
    emails = {item.id: await _email_of(work.db, item) for item in licenses}
    addressable = [item for item in licenses if emails[item.id] is not None]
    customers = await find_customers(
        work.db,
        {(item.institution_id, item.customer_id) for item in addressable if item.customer_id},
    )
    institutions = {item.institution_id for item in addressable}
    vendors = await institution_names(work.db, institutions)
    zones = await time_zones(work.db, institutions)
    pages = await find_renewal_pages(work.db, institutions)
    looks = await find_looks(work.db, institutions)
    found = {}
    for details in await fetch_details(work.db, addressable):
        license_ = details.license
        email = emails[license_.id] or ""
        customer = customers.get(license_.customer_id) if license_.customer_id else None
        receiver = Receiver(
            email=email,
            name=email if customer is None else customer.name,
            locale=None if customer is None else customer.locale,
        )
        around = Surroundings(
            product=details.product_name,
            release=details.release_version,
            vendor=vendors.get(license_.institution_id, ""),
            portal=portal_address(work.address),
            renewal_page=pages.get(license_.institution_id),
            zone=zones[license_.institution_id],
        )
        values = values_of(license_, receiver, around, license_.instant(work.now))
        look = looks[license_.institution_id]
        found[license_.id] = Addressed(license_, receiver, values, look)
    return found


async def _email_of(db: Connection, license_: License) -> str | None:
    issued_to = license_.issued_to
    if issued_to is not None and is_uuid(issued_to):
        user = await fetch_user(db, UUID(issued_to))
        return None if user is None else user.email
    if issued_to is None or not is_email(issued_to) or issued_to == ERASED_ADDRESS:
        return None
    return issued_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An email to write about a license; `locale` wins over that of the receiver.

    If it `is_too_much` for the receiver, it is only recorded, as failed.
    """

    addressed: Addressed
    kind: MailKind
    template: EffectiveTemplate
    locale: str | None = None
    is_too_much: bool = False


async def write_mails(work: UnitOfWork, drafts: Sequence[Draft]) -> list[LicenseMail]:
    """Queue emails; returns what is recorded of each."""
    written = [await _write(work, item) for item in drafts]
    await storage.insert_mails(work.db, written)
    pairs = zip(written, (item.addressed.license for item in drafts), strict=True)
    await record_events(work, [mail_event(item, license_) for item, license_ in pairs])
    return written


def as_letter(composed: Composed, look: mail.Look) -> mail.Letter:
    """Return the email as the outbox takes it."""
    return mail.Letter(
        text=composed.text,
        html=mail.as_page(composed.locale, composed.html, look),
        sender_name=composed.sender_name,
        reply_to=composed.reply_to,
        logo_of=look.logo_of,
    )


def mail_event(item: LicenseMail, license_: License) -> Event:
    """Return the event that an email about a license was written, or could not be sent."""
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
        letter=as_letter(composed, draft.addressed.look),
        vendor_id=draft.addressed.license.institution_id,
    )
    return await mail.write(work, email)


async def send(
    work: UnitOfWork,
    operator: Operator,
    license_id: UUID,
    kind: MailKind = MailKind.ISSUED,
    locale: str | None = None,
) -> LicenseMail:
    """Mail a license to its receiver, in their language or in the given one.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if it has no receiver with an address or the
            email would not be true, `RateLimited`.
    """
    # Locked, so that requests at the same time count each other.
    license_ = await lock_license(work.db, operator, license_id)
    if (reason := mismatch_of(kind, license_)) is not None:
        raise errors.not_true_of(reason)
    addressed = (await address_licenses(work, [license_])).get(license_.id)
    if addressed is None:
        raise errors.no_receiver()
    await _require_room(work, addressed)
    owner = TemplateOwner(license_.institution_id, license_.product_id, "")
    template = (await fetch_template(work.db, owner, kind)).effective
    draft = Draft(addressed=addressed, kind=kind, template=template, locale=locale)
    [written] = await write_mails(work, [draft])
    return written


async def _require_room(work: UnitOfWork, addressed: Addressed) -> None:
    license_ = addressed.license
    sent = await storage.count_of_license(
        work.db, license_.institution_id, license_.id, work.now - HOUR
    )
    if sent >= SENDS_PER_HOUR:
        raise errors.too_many_sends(SENDS_PER_HOUR, int(HOUR.total_seconds()))
    to = (license_.institution_id, addressed.receiver.email.lower())
    written = await storage.count_to(work.db, [to], work.now - DAY)
    if written.get(to, 0) >= MAILS_PER_DAY:
        raise errors.too_many_to_address(MAILS_PER_DAY, int(HOUR.total_seconds()))


async def list_mails(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    filters: LicenseMailFilter,
    paging: Paging,
) -> Listing[LicenseMail]:
    """List the emails of the institutions in which the operator has the required role."""
    return await storage.list_mails(db, operator.authorized(institution_id), filters, paging)


COUNTED = timedelta(days=30)


async def count_mails(
    db: Connection, operator: Operator, institution_id: UUID, now: datetime
) -> dict[MailKind, tuple[int, int]]:
    """Count the emails of the last 30 days by kind: those that were sent, and that failed.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    operator.authorized(institution_id)
    return await storage.count_by_kind(db, institution_id, now - COUNTED)


@dataclass(frozen=True, slots=True)
class _Occasion:
    """An event that causes an email about a license."""

    institution_id: UUID
    license_id: UUID
    kind: MailKind
    template: EffectiveTemplate


async def mail_licenses(work: UnitOfWork, events: Sequence[RecordedEvent]) -> None:
    """Write the emails that follow from events.

    A new license is mailed if its event says so, and otherwise as its product does. A license that
    is gone, or of which the email would no longer be true, is left out.
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
    written = await storage.count_to(work.db, to, work.now - DAY) if to else {}
    marked: list[Draft] = []
    for receiver, group in groupby(ordered, _receiver_of):
        before = written.get(receiver, 0)
        marked += [
            replace(item, is_too_much=at >= MAILS_PER_DAY) for at, item in enumerate(group, before)
        ]
    return marked


def _receiver_of(draft: Draft) -> storage.Addressed:
    addressed = draft.addressed
    return addressed.license.institution_id, addressed.receiver.email.lower()


_STATUSES = {
    MailStatus.WAITING: LicenseMailStatus.QUEUED,
    MailStatus.SENT: LicenseMailStatus.SENT,
    MailStatus.FAILED: LicenseMailStatus.FAILED,
}


async def settle(work: UnitOfWork, outcomes: Sequence[Outcome]) -> None:
    """Store outcomes, and record each email that newly counts as failed."""
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


class PersonalDataOfMails:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return the emails to the person."""
        found = await storage.export_mails(db, subject.institution_id, subject.addresses)
        return {"licenseMails": found}

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Erase the receivers, and delete the emails themselves, those that wait included.

        Those about a move to another address are found by their recipients alone.
        """
        ids = await storage.erase_mails(
            work.db, subject.institution_id, subject.license_ids, subject.addresses
        )
        await mail.delete_written(work, ids)
        await mail.delete_of_vendor(work, subject.institution_id, subject.addresses)
        return {"licenseMails": len(ids)}


TESTS_PER_HOUR = 20
PREVIEWS_PER_MINUTE = 60
EXAMPLE_PRODUCT, EXAMPLE_RELEASE = "Example", "1.0.0"
"""What an institution without products sells in a preview."""

_ONE = Paging(page_size=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewOptions:
    """Options of a preview: words instead of the stored ones, a language, a license."""

    translation: Translation | None
    locale: str | None
    sender_name: str | None
    reply_to: str | None
    license_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewTarget:
    """The template that an operator previews: its kind, and how its owner is found."""

    operator: Operator
    find_owner: Callable[[Connection], Awaitable[TemplateOwner]]
    kind: MailKind


class Tried(NamedTuple):
    """A previewed email, the letter that it is sent as, and the logo that is put into it."""

    composed: Composed
    letter: mail.Letter
    logo: mail.Logo | None


async def preview(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Tried:
    """Return the email for a license, or for an example of one; nothing is sent or stored.

    Raises:
        Refused: `NotFound`, `Forbidden`; `InvalidRequest` for words that cannot be sent, and for a
            license that the operator does not see or that the template is not for; `Conflict` for
            one without a receiver; `RateLimited`.
    """
    bucket = f"mail-preview:{target.operator.user_id}"
    await limits.take(platform.database, bucket, PREVIEWS_PER_MINUTE, platform.clock())
    return await _tried(platform, origin, target, options)


async def send_test(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Tried:
    """Mail the preview to the operator, at their verified address.

    Raises:
        Refused: as `preview`; `Forbidden` without a verified address.
    """
    operator = target.operator
    async with platform.database.reading() as db:
        await target.find_owner(db)
    bucket, now = f"mail-test:{operator.user_id}", platform.clock()
    await limits.take(platform.database, bucket, TESTS_PER_HOUR, now, limits.HOUR)
    operator.require_verified_email()
    tried = await _tried(platform, origin, target, options)
    email = mail.Email(operator.email, tried.composed.subject, letter=tried.letter)
    async with platform.unit_of_work(origin) as work:
        await mail.write(work, email)
    return tried


async def _tried(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Tried:
    async with platform.unit_of_work(origin) as work:
        owner = await target.find_owner(work.db)
        stored = (await fetch_template(work.db, owner, target.kind)).effective
        values, locale = await _values(work, target.operator, owner, options.license_id)
        vendor = owner.institution_id
        look = (await find_looks(work.db, [vendor]))[vendor]
    if options.translation is not None:
        await require_readable({"translation": options.translation})
    changed = _changed(stored, options)
    composed = await preview_of(changed, values, options.locale or locale)
    logo = None if look.logo_of is None else await mailed_logo(platform, look.logo_of)
    return Tried(composed, as_letter(composed, look), logo)


def _changed(template: EffectiveTemplate, options: PreviewOptions) -> EffectiveTemplate:
    """Return the template with the options applied."""
    if options.translation is not None:
        locale = options.locale or template.default_locale
        words = {locale: options.translation}
        template = replace(template, translations=words, default_locale=locale)
    return replace(
        template,
        sender_name=options.sender_name or template.sender_name,
        reply_to=options.reply_to or template.reply_to,
    )


async def _values(
    work: UnitOfWork, operator: Operator, owner: TemplateOwner, license_id: UUID | None
) -> tuple[Values, str | None]:
    """Return the values of a license or an example, and the language of its receiver."""
    if license_id is None:
        return await _example(work, operator, owner), None
    license_ = (await find_by_ids(work.db, operator.visibility, [license_id])).get(license_id)
    if (
        license_ is None
        or license_.institution_id != owner.institution_id
        or owner.product_id not in {None, license_.product_id}
    ):
        raise errors.license_of_another()
    addressed = (await address_licenses(work, [license_])).get(license_.id)
    if addressed is None:
        raise errors.no_receiver()
    return addressed.values, addressed.receiver.locale


async def _example(work: UnitOfWork, operator: Operator, owner: TemplateOwner) -> Values:
    product = owner.name
    if owner.product_id is None:
        newest = await list_products(work.db, operator, _ONE, None, owner.institution_id)
        product = next((item.name for item in newest.items), EXAMPLE_PRODUCT)
    names = await institution_names(work.db, [owner.institution_id])
    around = Surroundings(
        product=product,
        release=EXAMPLE_RELEASE,
        vendor=names.get(owner.institution_id, ""),
        portal=portal_address(work.address),
    )
    return example_values(around)

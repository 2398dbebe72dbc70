"""The personal data of the person behind a customer: traced, exported, or erased."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from licet_server.archives.service.erasing import request_erasure
from licet_server.catalog.storage import associations as catalog
from licet_server.customers import errors
from licet_server.customers.rules.model import Customer
from licet_server.customers.rules.personal_data import (
    Account,
    DataSubject,
    KnownAs,
    LicensesAfter,
    addresses_in,
    exists_for,
    known_as,
)
from licet_server.customers.service.customers import fetch_customer, lock_to_remove
from licet_server.customers.service.hooks import CustomerLicenses, PersonalDataOfFeatures
from licet_server.customers.storage import (
    CUSTOMERS,
    fetch_known_elsewhere,
    fetch_taken,
    forget_addresses,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.rules.personal_data import Traces
from licet_server.events.service.personal_data import (
    ErasedText,
    erase_events_about,
    find_deleted_licenses,
    list_events_about,
)
from licet_server.events.service.recording import record_event
from licet_server.events.storage.reading import fetch_recorded
from licet_server.identity.service.users import fetch_user, find_users, forget_accounts
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.storage import personal_data as institutions
from licet_server.kit.database import Connection
from licet_server.kit.idempotency import forget_responses
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.text import ERASED
from licet_server.kit.unit_of_work import UnitOfWork

RECORDED_TEXTS = 1_000
"""The most texts of which the event about an erasure has digests, those replaced most often."""


@dataclass(frozen=True, slots=True)
class PersonalDataExport:
    """The personal data of a customer: the customer, rows by their tables, and events."""

    customer: Customer
    rows: Exported
    exported_at: datetime


@dataclass(frozen=True, slots=True)
class PersonalDataErasure:
    """What an erasure leaves of a customer, and what it replaces.

    `rows` are counted by the names of tables, `texts` are those in events, most frequent first.
    """

    customer: Customer
    rows: Counts
    texts: tuple[ErasedText, ...]


async def export(
    db: Connection,
    customer: Customer,
    now: datetime,
    *,
    licenses: CustomerLicenses,
    data: PersonalDataOfFeatures,
) -> PersonalDataExport:
    """Return all that is stored of the person behind a customer, apart from archives.

    Their account is theirs to see: even an empty list would say whether they have one.
    """
    subject = await find_data_subject(db, customer, licenses)
    rows: Exported = {}
    for part in data.parts:
        rows |= await part.export(db, subject)
    events = await list_events_about(db, customer.institution_id, _traces(subject))
    rows["events"] = [_event_row(event) for event in events]
    return PersonalDataExport(customer, rows, now)


async def preview_erasure(
    work: UnitOfWork,
    operator: Operator,
    customer_id: UUID,
    *,
    licenses: CustomerLicenses,
    data: PersonalDataOfFeatures,
) -> PersonalDataErasure:
    """Return what erasing the person behind a customer would replace now, and replace nothing.

    Raises:
        Refused: what `erase` raises.
    """
    attempt = await work.db.begin_nested()
    try:
        customer, subject = await _lock(work, operator, customer_id, licenses)
        erasure = await _replace(work, customer, subject, data)
    finally:
        await attempt.rollback()
    return replace(erasure, customer=customer)


async def erase(
    work: UnitOfWork,
    operator: Operator,
    customer_id: UUID,
    after: LicensesAfter,
    *,
    licenses: CustomerLicenses,
    data: PersonalDataOfFeatures,
) -> PersonalDataErasure:
    """Replace the person behind a customer wherever the database names them.

    A job erases them from archives afterwards.

    What is left is a customer without name and address, with licenses that are revoked, or go on
    without a name. An event keeps who erased them, and digests of the texts that were replaced in
    other events.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a member of the institution, or somebody
            with an open invitation.
    """
    customer, subject = await _lock(work, operator, customer_id, licenses)
    if after is LicensesAfter.REVOKE:
        await licenses.revoke(work, operator, customer)
    erasure = await _replace(work, customer, subject, data)
    await request_erasure(work, subject.institution_id, _traces(subject))
    await record_event(
        work,
        EventKind.CUSTOMER_ERASED,
        institution_id=customer.institution_id,
        subject_id=customer.id,
        data={
            "id": customer.id,
            "licenses": after,
            "licenseCount": len(subject.license_ids),
            "eventCount": erasure.rows["events"],
            "rows": erasure.rows,
            "textCount": len(erasure.texts),
            "texts": [
                {"digest": item.digest, "count": item.count}
                for item in erasure.texts[:RECORDED_TEXTS]
            ],
        },
    )
    return erasure


async def _lock(
    work: UnitOfWork, operator: Operator, customer_id: UUID, licenses: CustomerLicenses
) -> tuple[Customer, DataSubject]:
    """Lock a customer and what is theirs; returns who is behind them, if they can be erased."""
    customer = await fetch_customer(work.db, operator, customer_id)
    await licenses.lock(work, customer)
    [customer] = await lock_to_remove(work, operator, customer_id)
    subject = await find_data_subject(work.db, customer, licenses)
    await _refuse_insiders(work, subject)
    return customer, subject


async def _refuse_insiders(work: UnitOfWork, subject: DataSubject) -> None:
    """Refuse to erase those whose doings the audit log has to name."""
    scope = (work.db, subject.institution_id)
    if subject.claimed & await institutions.fetch_member_emails(*scope):
        raise errors.is_member()
    if await institutions.is_invited(*scope, subject.claimed):
        raise errors.is_invited()
    if await catalog.is_invited(*scope, subject.claimed):
        raise errors.is_invited()


async def _replace(
    work: UnitOfWork, customer: Customer, subject: DataSubject, data: PersonalDataOfFeatures
) -> PersonalDataErasure:
    events = await erase_events_about(work, subject.institution_id, _traces(subject))
    rows = await erase_rows_about(work, replace(subject, event_ids=events.ids), data)
    await forget_responses(work.db, subject.subject_ids)
    # Not counted: whether an address has an account is no matter of the institution.
    await forget_accounts(work, subject.account_ids, subject.own_addresses)
    erased = _erased(customer, work.now)
    await CUSTOMERS.save(work.db, erased)
    return PersonalDataErasure(erased, {"events": len(events.ids), **rows}, events.texts)


async def erase_rows_about(
    work: UnitOfWork, subject: DataSubject, data: PersonalDataOfFeatures
) -> Counts:
    """Erase a person from what the institution stores apart from events; returns how many rows."""
    rows: Counts = {}
    for part in data.parts:
        rows |= await part.erase(work, subject)
    scope = (subject.institution_id, subject.addresses)
    rows["invitations"] = await institutions.erase_invitations(work.db, *scope)
    rows["associations"] = await catalog.erase_invitations(work.db, *scope)
    rows["formerAddresses"] = await forget_addresses(work.db, *scope)
    return rows


def _traces(subject: DataSubject) -> Traces:
    return Traces(
        license_ids=subject.license_ids,
        subject_ids=subject.customer_ids,
        user_ids=subject.user_ids,
        addresses=subject.addresses,
    )


def _erased(customer: Customer, now: datetime) -> Customer:
    return replace(
        customer,
        name=ERASED,
        email=customer.erased_email,
        external_reference=None,
        company=None,
        locale=None,
        notes=None,
        metadata={},
        tags=(),
        updated_at=now,
    )


def _event_row(event: RecordedEvent) -> dict[str, Any]:
    return {
        "id": event.id,
        "kind": event.kind,
        "occurredAt": event.occurred_at,
        "data": event.data,
        "changes": event.changes,
        "actorKind": event.actor_kind,
        "actorName": event.actor_name,
        "ipAddress": event.ip_address,
    }


ADDRESS_EVENTS = (
    EventKind.CUSTOMER_CREATED,
    EventKind.CUSTOMER_UPDATED,
    EventKind.CUSTOMER_MERGED,
)
"""The events that record which addresses customers have."""

_BEFORE_ALL = -1
"""The number before the first event of a chain."""


async def find_data_subject(
    db: Connection, customer: Customer, licenses: CustomerLicenses
) -> DataSubject:
    """Find the data subject behind a customer."""
    institution_id = customer.institution_id
    held = await licenses.receivers(db, customer)
    receivers = {license_id: name.lower() for license_id, name in held.items() if name}
    former = await _former(db, customer)
    customer_ids = {customer.id, *(item.id for item in former)}
    known = addresses_in([customer.email, *receivers.values(), *(item.email for item in former)])
    found = await _accounts(db, known, receivers.values())
    claimed = known | addresses_in(item.email for item in found)
    emails = claimed - await fetch_taken(db, institution_id, claimed, customer_ids)
    accounts = [item for item in found if item.email.lower() in emails]
    names = emails.union(*(item.names for item in accounts))
    receivers |= await find_deleted_licenses(db, institution_id, names)
    others = await _known_elsewhere(db, institution_id, names, licenses)
    alone = await _alone(db, accounts, receivers, others)
    shared = {item.email.lower() for item in accounts if item.id not in alone}
    return DataSubject(
        institution_id=institution_id,
        customer_ids=frozenset(customer_ids),
        addresses=frozenset(emails),
        claimed=frozenset(claimed),
        license_ids=frozenset({*held, *receivers}),
        user_ids=frozenset(
            item.id for item in accounts if item.is_verified and not item.is_system_admin
        ),
        account_ids=frozenset(alone),
        own_addresses=frozenset(emails - others - shared),
    )


async def _alone(
    db: Connection,
    accounts: Iterable[Account],
    receivers: Mapping[UUID, str],
    others: Collection[str],
) -> set[UUID]:
    """Return the accounts that exist for these licenses alone, and belong to no institution."""
    found: set[UUID] = set()
    for item in accounts:
        license_ids = [license_id for license_id, name in receivers.items() if name in item.names]
        if exists_for(item, license_ids, others):
            found.add(item.id)
    members = {item for item in found if await institutions.fetch_institutions(db, [item])}
    return found - members


async def _known_elsewhere(
    db: Connection, institution_id: UUID, names: Collection[str], licenses: CustomerLicenses
) -> set[str]:
    """Return those of these addresses and users, in lower case, that other institutions know."""
    return {
        *await licenses.others_issued_to(db, institution_id, names),
        *await fetch_known_elsewhere(db, institution_id, names),
        *await institutions.fetch_invited_elsewhere(db, institution_id, names),
        *await catalog.fetch_invited_elsewhere(db, institution_id, names),
    }


async def _former(db: Connection, customer: Customer) -> list[KnownAs]:
    """Return what events say about the customer, and about those that were merged into it."""
    found: list[KnownAs] = []
    seen: set[UUID] = set()
    wanted = {customer.id}
    while wanted:
        seen |= wanted
        recorded = [
            event
            for kind in ADDRESS_EVENTS
            for event in await fetch_recorded(
                db, customer.institution_id, kind, list(wanted), _BEFORE_ALL
            )
        ]
        step = [item for event in recorded for item in known_as(event.data)]
        found += step
        wanted = {item.id for item in step} - seen
    return found


async def _accounts(
    db: Connection, emails: Collection[str], receivers: Iterable[str]
) -> list[Account]:
    found = {user.id: user for user in await find_users(db, emails)}
    for item in receivers:
        user = None if "@" in item else await fetch_user(db, UUID(item))
        if user is not None:
            found[user.id] = user
    return [
        Account(
            id=user.id,
            email=user.email,
            is_verified=user.email_verified,
            is_system_admin=user.is_system_admin,
        )
        for user in found.values()
    ]

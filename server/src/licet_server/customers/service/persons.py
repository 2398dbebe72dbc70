"""Everything that is stored of the person behind a customer: exported, or erased."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from licet_server.archives.service.erasing import request_erasure
from licet_server.catalog.service import persons as catalog
from licet_server.customers import errors
from licet_server.customers.rules.model import Customer
from licet_server.customers.rules.persons import (
    Account,
    KnownAs,
    LicensesAfter,
    Person,
    known_as,
    person_of,
)
from licet_server.customers.service.customers import fetch_customer, lock_to_remove
from licet_server.customers.service.hooks import CustomerLicenses, PersonalDataOfFeatures
from licet_server.customers.storage import customers as storage
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.rules.persons import Traces
from licet_server.events.service.persons import (
    erase_events_about,
    find_deleted_licenses,
    list_events_about,
)
from licet_server.events.service.reading import fetch_recorded
from licet_server.events.service.recording import record_event
from licet_server.identity.service import persons as identity
from licet_server.identity.service.users import fetch_user, find_users
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service import persons as institutions
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.idempotency import forget_responses
from licet_server.kit.personal import Exported
from licet_server.kit.text import ERASED
from licet_server.kit.unit_of_work import UnitOfWork

TELLING = (
    EventKind.CUSTOMER_CREATED,
    EventKind.CUSTOMER_UPDATED,
    EventKind.CUSTOMER_MERGED,
)
"""The events that tell what customers are called."""

_BEFORE_ALL = -1
"""The number before the first event of a chain."""


@dataclass(frozen=True, slots=True)
class PersonExport:
    """What is stored of a person: the customer, rows by their tables, and events."""

    customer: Customer
    rows: Exported
    exported_at: datetime


async def export(
    db: Connection,
    operator: Operator,
    customer_id: UUID,
    now: datetime,
    *,
    licenses: CustomerLicenses,
    data: PersonalDataOfFeatures,
) -> PersonExport:
    """Return all that is stored of the person behind a customer, apart from archives.

    Of their account, only if it exists for them alone; otherwise it is theirs to see.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    customer = await fetch_customer(db, operator, customer_id)
    person = await _person(db, customer, licenses)
    rows: Exported = {}
    for part in data.parts:
        rows |= await part.export(db, person)
    rows |= await identity.export_accounts(db, [item.id for item in person.accounts])
    events = await list_events_about(db, customer.institution_id, _traces(person))
    rows["events"] = [_event_row(event) for event in events]
    return PersonExport(customer, rows, now)


async def erase(
    work: UnitOfWork,
    operator: Operator,
    customer_id: UUID,
    after: LicensesAfter,
    *,
    licenses: CustomerLicenses,
    data: PersonalDataOfFeatures,
) -> Customer:
    """Replace the person behind a customer wherever the database names them.

    A job erases them from archives afterwards.

    What is left is a customer without name and address, with licenses that are revoked, or go on
    without a name.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a member of the institution, or somebody
            with an open invitation.
    """
    customer = await fetch_customer(work.db, operator, customer_id)
    await licenses.lock(work, customer)
    [customer] = await lock_to_remove(work, operator, customer_id)
    person = await _person(work.db, customer, licenses)
    await _refuse_insiders(work, person)
    if after is LicensesAfter.REVOKE:
        operator.require_scope(Scope.LICENSES_WRITE)
        await licenses.revoke(work, operator, customer)
    changed = await erase_events_about(work, person.institution_id, _traces(person))
    person = replace(person, event_ids=tuple(changed))
    for part in data.parts:
        await part.erase(work, person)
    await _erase_traces(work, person)
    await request_erasure(work, person.institution_id, _traces(person))
    erased = _erased(customer, work.now)
    await storage.update_customer(work.db, erased)
    await record_event(
        work,
        EventKind.CUSTOMER_ERASED,
        institution_id=customer.institution_id,
        subject_id=customer.id,
        data={
            "id": customer.id,
            "licenses": after,
            "licenseCount": len(person.license_ids),
            "eventCount": len(changed),
        },
    )
    return erased


async def _erase_traces(work: UnitOfWork, person: Person) -> None:
    """Erase what the features below customers store."""
    await institutions.erase_invitations(work, person.institution_id, person.addresses)
    await catalog.erase_invitations(work, person.institution_id, person.addresses)
    staff = await institutions.member_emails(work.db, person.institution_id)
    await mail.erase_subjects(work, staff, person.texts)
    await forget_responses(work.db, person.subject_ids)
    await identity.forget_accounts(
        work, [item.id for item in person.accounts], person.own_addresses
    )


async def _refuse_insiders(work: UnitOfWork, person: Person) -> None:
    """Refuse to erase those whose doings the audit log has to name."""
    of = await institutions.institutions_of(work.db, person.user_ids)
    if person.institution_id in of:
        raise errors.is_member()
    scope = (work.db, person.institution_id, person.addresses)
    if await institutions.is_invited(*scope) or await catalog.is_invited(*scope):
        raise errors.is_invited()


async def _person(db: Connection, customer: Customer, licenses: CustomerLicenses) -> Person:
    receivers = await licenses.receivers(db, customer)
    former = await _former(db, customer)
    accounts = await _accounts(db, customer, receivers)
    person = person_of(customer, former, receivers, accounts)
    names = {*person.addresses, *(str(item.id) for item in accounts)}
    others = await licenses.others_issued_to(db, customer.institution_id, names)
    free = [
        item
        for item in accounts
        if not item.is_system_admin
        and not {item.email.lower(), str(item.id)} & others
        and not await institutions.institutions_of(db, [item.id])
    ]
    taken = {item.email.lower() for item in accounts if item not in free}
    own = person.addresses - others - taken
    deleted = await find_deleted_licenses(db, customer.institution_id, names)
    return replace(
        person,
        license_ids=person.license_ids | deleted,
        accounts=tuple(free),
        own_addresses=own,
    )


async def _former(db: Connection, customer: Customer) -> list[KnownAs]:
    """Return what events tell of the customer, and of those that were merged into it."""
    found: list[KnownAs] = []
    seen: set[UUID] = set()
    wanted = {customer.id}
    while wanted:
        seen |= wanted
        told = [
            event
            for kind in TELLING
            for event in await fetch_recorded(
                db, customer.institution_id, kind, list(wanted), _BEFORE_ALL
            )
        ]
        step = [item for event in told for item in known_as(event.data)]
        found += step
        wanted = {item.id for item in step} - seen
    return found


async def _accounts(
    db: Connection, customer: Customer, receivers: dict[UUID, str | None]
) -> list[Account]:
    named = {customer.email.lower(), *(item.lower() for item in receivers.values() if item)}
    found = {user.id: user for user in await find_users(db, named)}
    for item in named:
        user = None if "@" in item else await fetch_user(db, UUID(item))
        if user is not None:
            found[user.id] = user
    return [
        Account(
            id=user.id,
            email=user.email,
            full_name=user.full_name,
            is_system_admin=user.is_system_admin,
        )
        for user in found.values()
    ]


def _traces(person: Person) -> Traces:
    return Traces(
        license_ids=person.license_ids,
        subject_ids=person.customer_ids,
        user_ids=person.user_ids,
        texts=person.texts,
    )


def _erased(customer: Customer, now: datetime) -> Customer:
    return replace(
        customer,
        name=ERASED,
        email=f"{customer.id}@erased.invalid",
        external_reference=None,
        company=None,
        locale=None,
        notes=None,
        metadata={},
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

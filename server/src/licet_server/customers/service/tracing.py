"""Tracing of the data subject behind a customer."""

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from licet_server.catalog.storage import personal_data as catalog
from licet_server.customers.rules.model import Customer
from licet_server.customers.rules.personal_data import (
    Account,
    DataSubject,
    KnownAs,
    addresses_in,
    exists_for,
    known_as,
)
from licet_server.customers.service.hooks import CustomerLicenses
from licet_server.customers.storage import fetch_known_elsewhere, fetch_taken
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.personal_data import find_deleted_licenses
from licet_server.events.storage.reading import fetch_recorded
from licet_server.identity.service.users import fetch_user, find_users
from licet_server.institutions.storage import personal_data as institutions
from licet_server.kit.database import Connection

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

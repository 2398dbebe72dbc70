"""Customers: created by operators or by a sale, changed, moved, merged, searched, deleted."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from licet_server.customers import errors, storage
from licet_server.customers.rules.model import (
    Customer,
    CustomerFilter,
    CustomerId,
    customer_facts,
    merged,
)
from licet_server.customers.service.hooks import CustomerLicenses
from licet_server.customers.service.moving import email_about_move
from licet_server.customers.storage import CUSTOMERS, remember_address
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, differences
from licet_server.events.service.recording import Recorder, record_event, record_events
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.service.appearance import find_looks
from licet_server.institutions.service.institutions import require_known
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection, Database
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import bad_field, unavailable
from licet_server.kit.ids import id_in
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.tags import Tags
from licet_server.kit.text import normal_locale
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility

_TRIES = 5
_EVENTS = Recorder(customer_facts)


async def create_customer(
    work: UnitOfWork, operator: Operator, fields: Mapping[str, Any]
) -> Customer:
    """Create a customer with these fields, by the names of `Customer`.

    Raises:
        Refused: `InvalidRequest` for an institution that the operator does not see, `Forbidden`,
            `Conflict` when the institution has a customer with this address.
    """
    institution_id = operator.institution_for_new(fields["institution_id"])
    if institution_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    await require_known(work.db, operator, institution_id)
    given = {**fields, "institution_id": institution_id}
    customer = Customer(**given, id=work.new_id(), created_at=work.now, updated_at=work.now)
    await CUSTOMERS.insert(work.db, customer)
    await _EVENTS.created(work, EventKind.CUSTOMER_CREATED, customer)
    return customer


async def ensure_customer(
    work: UnitOfWork, institution_id: UUID, email: str, *, name: str | None = None
) -> UUID:
    """Return the customer with this address, which is created if it is missing.

    Without a name it is created by its address. It cannot be deleted until the transaction ends. Of
    several transactions that need it at once, one creates it and the others wait for that.
    """
    names = {email: name or email}
    return (await ensure_customers(work, institution_id, [email], names))[email]


async def ensure_customers(
    work: UnitOfWork,
    institution_id: UUID,
    emails: Collection[str],
    names: Mapping[str, str] | None = None,
) -> dict[str, UUID]:
    """Return the customers with these addresses, as `ensure_customer` does, in a few round trips.

    Addresses that differ in their case are the same customer.
    """
    found: dict[str, UUID] = {}
    names = {email: email for email in emails} | dict(names or {})
    for _ in range(_TRIES):
        missing = [(work.new_id(), email, names[email]) for email in {*emails} - found.keys()]
        if not missing:
            return found
        ensured = await storage.ensure_customers(work.db, institution_id, missing, work.now)
        found |= {email: customer_id for email, customer_id, _ in ensured}
        new = [
            (customer_id, email, names[email]) for email, customer_id, is_new in ensured if is_new
        ]
        await record_events(work, [_created(work, institution_id, *item) for item in new])
    raise unavailable()


def _created(
    work: UnitOfWork, institution_id: UUID, customer_id: UUID, email: str, name: str
) -> Event:
    customer = Customer(
        institution_id=institution_id,
        id=customer_id,
        name=name,
        email=email,
        created_at=work.now,
        updated_at=work.now,
    )
    facts = customer_facts(customer)
    return Event(
        EventKind.CUSTOMER_CREATED,
        institution_id=institution_id,
        subject_id=customer_id,
        data=facts,
        changes=differences({}, facts),
    )


async def remember_locale(
    work: UnitOfWork, institution_id: UUID, email: str, locale: str | None
) -> None:
    """Store the language of a customer, as a sale names it, unless one is known already.

    What is not a language tag is ignored.
    """
    tag = normal_locale(locale or "")
    found = await storage.lock_by_email(work.db, institution_id, email) if tag else None
    if found is None or found.locale is not None:
        return
    changed = replace(found, locale=tag, updated_at=work.now)
    await CUSTOMERS.save(work.db, changed)
    await _EVENTS.changed(work, EventKind.CUSTOMER_UPDATED, found, changed)


async def find_customers(db: Connection, ids: Collection[CustomerId]) -> dict[UUID, Customer]:
    """Find customers by ID; missing ones are omitted."""
    return await storage.fetch_by_ids(db, ids) if ids else {}


async def find_seen_names(
    db: Connection, operator: Operator, ids: Iterable[tuple[UUID, UUID | None]]
) -> Mapping[UUID | None, str]:
    """Find the names of customers by ID, as far as the operator may see customers."""
    seen = operator.visibility.institutions if operator.covers(Scope.CUSTOMERS_READ) else ()
    wanted = {(of, id_) for of, id_ in ids if id_ is not None and of in seen}
    return {id_: item.name for id_, item in (await find_customers(db, wanted)).items()}


async def hold_customers(db: Connection, ids: Collection[CustomerId]) -> dict[UUID, Customer]:
    """Find customers as `find_customers` does; none is erased until the transaction ends."""
    return await storage.hold_by_ids(db, ids) if ids else {}


async def find_by_reference(
    db: Connection, institution_id: UUID, references: Collection[str]
) -> Customer | None:
    """Find the customer with one of these external references; `None` if there is not just one."""
    found = await storage.fetch_by_reference(db, institution_id, references)
    return found[0] if len(found) == 1 else None


async def fetch_customer(db: Connection, operator: Operator, customer_id: UUID) -> Customer:
    """Fetch a customer for an operator who has the role that the route requires."""
    return operator.found(await CUSTOMERS.fetch(db, operator.visibility, customer_id), "customer")


async def list_customers(
    db: Connection,
    operator: Operator,
    paging: Paging,
    filters: CustomerFilter,
    institution_id: UUID | None,
    *,
    licenses: CustomerLicenses,
    now: datetime,
) -> Listing[Customer]:
    """List the customers that the operator sees, in one institution if it is given.

    A filter by their licenses goes by the statuses at `now`.
    """
    visibility = operator.visibility_of(institution_id)
    holds = None if filters.holding is None else licenses.holds(filters.holding, now)
    return await storage.list_customers(db, visibility, filters, paging, holds)


async def known_tags(db: Connection, operator: Operator, institution_id: UUID | None) -> Tags:
    """Return the tags of the newest visible customers that have any."""
    return await storage.fetch_known_tags(db, operator.visibility_of(institution_id))


async def change_customer(
    work: UnitOfWork, operator: Operator, customer_id: UUID, changes: Mapping[str, Any]
) -> Customer:
    """Change the fields in `changes`, by the names of `Customer`; licenses stay as they are.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` when another customer has the address.
    """
    found = await CUSTOMERS.lock(work.db, operator.visibility, customer_id)
    current = operator.found(found, "customer")
    changed = replace(current, **changes)
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await CUSTOMERS.save(work.db, changed)
    if changed.email.lower() != current.email.lower():
        await remember_address(work.db, current)
    await _EVENTS.changed(work, EventKind.CUSTOMER_UPDATED, current, changed)
    return changed


async def add_note(work: UnitOfWork, operator: Operator, customer_id: UUID, note: str) -> None:
    """Record what the vendor notes about a customer, who stays as they are.

    The customer is locked, so that an erasure finds the note.
    """
    found = await CUSTOMERS.lock(work.db, operator.visibility, customer_id)
    customer = operator.found(found, "customer")
    await record_event(
        work,
        EventKind.CUSTOMER_NOTED,
        institution_id=customer.institution_id,
        subject_id=customer.id,
        data={"id": customer.id, "name": customer.name, "note": note},
    )


async def delete_customer(
    work: UnitOfWork, operator: Operator, customer_id: UUID, *, licenses: CustomerLicenses
) -> None:
    """Delete a customer without licenses.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it has licenses.
    """
    [customer] = await lock_to_remove(work, operator, customer_id)
    count = (await licenses.count(work.db, [customer])).get(customer.id, 0)
    if count:
        raise errors.has_licenses(count)
    await CUSTOMERS.delete(work.db, customer)
    await remember_address(work.db, customer)
    await _EVENTS.deleted(work, EventKind.CUSTOMER_DELETED, customer)


async def merge_customer(
    work: UnitOfWork,
    operator: Operator,
    customer_id: UUID,
    into_id: UUID,
    *,
    licenses: CustomerLicenses,
) -> Customer:
    """Merge a duplicate into another customer, who gets its licenses and missing details.

    The licenses stay issued to the addresses that they are issued to.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` if there is no such other customer.
    """
    duplicate = await fetch_customer(work.db, operator, customer_id)
    if into_id == customer_id:
        raise errors.not_another_customer()
    await licenses.lock(work, duplicate)
    duplicate, *others = await lock_to_remove(work, operator, customer_id, into_id)
    if not others:
        raise errors.not_another_customer()
    [current] = others
    moved = await licenses.move(work, duplicate, current)
    await CUSTOMERS.delete(work.db, duplicate)
    await remember_address(work.db, duplicate)
    await storage.pass_on_addresses(work.db, duplicate, current)
    kept = merged(current, duplicate, work.now)
    await CUSTOMERS.save(work.db, kept)
    await record_event(
        work,
        EventKind.CUSTOMER_MERGED,
        institution_id=kept.institution_id,
        subject_id=kept.id,
        data={**customer_facts(kept), "merged": customer_facts(duplicate), "licenses": moved},
        changes=differences(customer_facts(current), customer_facts(kept)),
    )
    return kept


async def lock_to_remove(
    work: UnitOfWork, operator: Operator, *customer_ids: UUID
) -> list[Customer]:
    """Lock customers to remove one: the first, and of the others those of its institution.

    Raises:
        Refused: `NotFound`, `Forbidden` for the first.
    """
    first, *_ = customer_ids
    institution_id = (await fetch_customer(work.db, operator, first)).institution_id
    found = await storage.lock_for_removal(work.db, institution_id, list(customer_ids))
    others = [found[item] for item in customer_ids[1:] if item in found]
    return [operator.found(found.get(first), "customer"), *others]


async def search_customers(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[Customer]:
    """Find customers by ID, address, external reference or words: a few of each, in no order.

    An address also finds who moved away from it with their licenses.

    `db` is a transaction.
    """
    identifier = id_in(text)
    if identifier is not None:
        customer = await CUSTOMERS.fetch(db, visibility, identifier)
        return [] if customer is None else [customer]
    found = await storage.fetch_named(db, visibility, text, limit)
    if "@" in text:
        found += await storage.fetch_moved(db, visibility, text, limit)
    found += await storage.fetch_worded(db, visibility, text, limit)
    return list({item.id: item for item in found}.values())


MOVES_PER_HOUR = 5
"""How often customers may move to one address in an hour: each move writes emails."""


async def change_with_licenses(
    work: UnitOfWork,
    operator: Operator,
    customer_id: UUID,
    changes: Mapping[str, Any],
    *,
    licenses: CustomerLicenses,
    database: Database,
) -> Customer:
    """Change the fields in `changes`; with another address, their licenses move along.

    Licenses that are issued to a user, or to a third address, stay so. Who issues a license to the
    present address meanwhile comes first, and it moves, or later, and creates another customer. If
    licenses have moved, both addresses get an email. Accounts do not change.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` when another customer has the address,
            `RateLimited`.
    """
    current = await fetch_customer(work.db, operator, customer_id)
    if not _moves(current, changes):
        return await change_customer(work, operator, customer_id, changes)
    await licenses.lock(work, current)
    # `FOR UPDATE` waits for everybody who is issuing a license to the address.
    [current] = await lock_to_remove(work, operator, customer_id)
    moved = replace(_renamed(current, changes), **changes, updated_at=work.now)
    await CUSTOMERS.save(work.db, moved)
    count = await licenses.readdress(work, moved, current.email)
    await storage.remember_move(work.db, current)
    await record_event(
        work,
        EventKind.CUSTOMER_UPDATED,
        institution_id=moved.institution_id,
        subject_id=moved.id,
        data={**customer_facts(moved), "licenses": count},
        changes=differences(customer_facts(current), customer_facts(moved)),
    )
    if count:
        bucket = f"customer-moves:{sha256(normal_email(moved.email).encode()).hexdigest()[:32]}"
        await limits.take(database, bucket, MOVES_PER_HOUR, work.now, limits.HOUR)
        await _mail(work, moved, current.email, count)
    return moved


def _moves(customer: Customer, changes: Mapping[str, Any]) -> bool:
    return normal_email(changes.get("email", customer.email)) != normal_email(customer.email)


def _renamed(customer: Customer, changes: Mapping[str, Any]) -> Customer:
    """Return the customer under the new address, if their name is only the present one."""
    is_named = customer.name.lower() != customer.email.lower()
    return customer if is_named else replace(customer, name=changes["email"])


async def present_address(work: UnitOfWork, institution_id: UUID, email: str) -> str:
    """Return the address of the customer who moved away from this one with their licenses.

    Shops may name the former one for years. An address that a customer has is returned as it is.
    The customer stays where they are until the transaction ends.
    """
    return await storage.lock_moved(work.db, institution_id, email) or email


async def _mail(work: UnitOfWork, customer: Customer, former: str, count: int) -> None:
    looks = await find_looks(work.db, [customer.institution_id])
    look = looks.get(customer.institution_id, mail.PLAIN)
    for recipient in (former, customer.email):
        email = email_about_move(recipient, customer, former, count, work.address, look)
        await mail.write(work, email)

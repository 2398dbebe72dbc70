"""Moves of customers to another address, together with the licenses issued to the present one."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any
from uuid import UUID

from licet_server.customers import storage
from licet_server.customers.rules.model import Customer, customer_facts
from licet_server.customers.service.customers import (
    change_customer,
    fetch_customer,
    lock_to_remove,
)
from licet_server.customers.service.hooks import CustomerLicenses
from licet_server.customers.storage import CUSTOMERS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit import limits, mail
from licet_server.kit.database import Database
from licet_server.kit.emails import normal_email
from licet_server.kit.text import one_line, unlinked
from licet_server.kit.unit_of_work import UnitOfWork

MOVES_PER_HOUR = 5
"""How often customers may move to one address in an hour: each move writes e-mails."""


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
    licenses have moved, both addresses get an e-mail. Accounts do not change.

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
    names = await institution_names(work.db, {customer.institution_id})
    vendor = unlinked(one_line(names.get(customer.institution_id, "")))
    licenses = "1 license that was" if count == 1 else f"{count:,} licenses that were"
    belong = "belongs" if count == 1 else "belong"
    change = f"{vendor} changed your e-mail address from {former} to {customer.email}."
    news = f"{licenses} issued to {former} now {belong} to {customer.email}."
    same = "License keys, devices and balances stay the same; there is nothing to install again."
    portal = f"To see your licenses, sign in to the portal with {customer.email}:"
    paragraphs = [
        f"{change} {news}",
        f"{same} E-mails about your licenses go to {customer.email}.",
        portal,
        f"{work.address}/portal",
        f"If you did not expect this, please ask {vendor}.",
    ]
    for recipient in (former, customer.email):
        await mail.write(
            work,
            mail.Email(
                recipient,
                f"Your licenses from {vendor} have a new e-mail address",
                paragraphs,
                vendor_id=customer.institution_id,
            ),
        )

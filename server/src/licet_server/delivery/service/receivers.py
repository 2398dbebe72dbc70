"""Receivers of licenses, and the values of placeholders in e-mails to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.customers.service.customers import find_customers
from licet_server.delivery.rules.facts import Receiver, Surroundings, values_of
from licet_server.delivery.rules.placeholders import Values
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.service.institutions import institution_names, time_zones
from licet_server.kit.database import Connection
from licet_server.kit.text import ERASED_ADDRESS, is_email
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.terms import is_uuid
from licet_server.licenses.service.reading import fetch_details


@dataclass(frozen=True, slots=True)
class Addressed:
    """A license with its receiver, and what placeholders stand for in e-mails about it."""

    license: License
    receiver: Receiver
    values: Values


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
            zone=zones[license_.institution_id],
        )
        values = values_of(license_, receiver, around, work.now)
        found[license_.id] = Addressed(license_, receiver, values)
    return found


async def _email_of(db: Connection, license_: License) -> str | None:
    issued_to = license_.issued_to
    if issued_to is not None and is_uuid(issued_to):
        user = await fetch_user(db, UUID(issued_to))
        return None if user is None else user.email
    if issued_to is None or not is_email(issued_to) or issued_to == ERASED_ADDRESS:
        return None
    return issued_to

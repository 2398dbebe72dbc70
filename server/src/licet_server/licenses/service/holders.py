"""Who holds licenses: end users, customers, and customer institutions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol
from uuid import UUID

from msgspec import structs

from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import ensure_customer, hold_customers
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.users import fetch_user
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.members import is_member
from licet_server.kit.database import Connection
from licet_server.kit.emails import is_email
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.holders import Receiver, receiver_of
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.rules.terms import is_uuid
from licet_server.licenses.service.customers import fetch_received_license, lock_received_license
from licet_server.licenses.storage import records as storage
from licet_server.licenses.storage.holders import fetch_customer_ids, find_ids


async def list_own_licenses(db: Connection, user: Operator, paging: Paging) -> Listing[License]:
    """Return the licenses issued to a user, of any status, newest first.

    Raises:
        Refused: `Forbidden` without a verified email address.
    """
    return await storage.list_issued_to(db, receiver_of(user), paging)


async def find_vendors(db: Connection, user: Operator) -> set[UUID]:
    """Return the institutions that issued licenses to a user.

    Raises:
        Refused: `Forbidden` without a verified email address.
    """
    return await storage.fetch_issuing_institutions(db, receiver_of(user))


async def find_vendors_of(db: Connection, user_id: UUID, email: str) -> set[UUID]:
    """Return the institutions that issued licenses to a user, verified or not."""
    receiver = Receiver((email.lower(), str(user_id)))
    return await storage.fetch_issuing_institutions(db, receiver)


async def fetch_own_license(db: Connection, user: Operator, license_id: UUID) -> License:
    """Return one license issued to a user.

    Raises:
        Refused: `Forbidden` without a verified email address, `NotFound`.
    """
    return _found(await storage.fetch_issued_to(db, receiver_of(user), license_id))


async def find_own_license(db: Connection, user: Operator, license_id: UUID) -> License | None:
    """Return the license, if it is issued to the user.

    Raises:
        Refused: `Forbidden` without a verified email address.
    """
    return await storage.fetch_issued_to(db, receiver_of(user), license_id)


async def lock_own_license(db: Connection, user: Operator, license_id: UUID) -> License:
    """Fetch a license issued to a user, `FOR NO KEY UPDATE`.

    Raises:
        Refused: `Forbidden` without a verified email address, `NotFound`.
    """
    return _found(await storage.lock_issued_to(db, receiver_of(user), license_id))


async def find_receivers(db: Connection, emails: Collection[str]) -> set[str]:
    """Return the addresses, in lower case, to which at least one license is issued."""
    return await storage.fetch_receivers(db, emails) if emails else set()


async def find_issuers(db: Connection, email: str) -> set[UUID]:
    """Return the institutions that issued licenses to an address."""
    return await storage.fetch_issuing_institutions(db, Receiver((email.lower(),)))


async def find_issued_to(db: Connection, email: str) -> Sequence[License]:
    """Return the newest licenses issued to an address, at most a hundred."""
    receiver = Receiver((email.lower(),))
    return (await storage.list_issued_to(db, receiver, Paging(page_size=100))).items


async def is_receiver(db: Connection, institution_id: UUID, email: str) -> bool:
    """Return whether the institution has issued a license to the address."""
    return await storage.has_issued_to(db, institution_id, [email.lower()])


async def is_known_user(db: Connection, institution_id: UUID, user_id: UUID) -> bool:
    """Return whether an institution knows a user: as a member, or as an end user of its licenses.

    Users whom it does not know look like ids of nobody, so that no id of a user can be guessed.
    """
    user = await fetch_user(db, user_id)
    names = [str(user_id)] if user is None else [str(user_id), user.email.lower()]
    is_receiver = await storage.has_issued_to(db, institution_id, names)
    return user is not None and (is_receiver or await is_member(db, institution_id, user_id))


def _found(license_: License | None) -> License:
    if license_ is None:
        raise not_found("license")
    return license_


HolderKind = Literal["EndUser", "Customer"]


class LicenseHolder(Protocol):
    """A user with the licenses that they hold, or manage for their institution."""

    @property
    def kind(self) -> HolderKind:
        """As events name it."""
        ...

    @property
    def user_id(self) -> UUID: ...

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to read.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        ...

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to change something under it: fetched `FOR NO KEY UPDATE`.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        ...


@dataclass(frozen=True, slots=True)
class EndUserHolder:
    """The licenses issued to a user with a verified email address."""

    operator: Operator
    kind: HolderKind = "EndUser"

    @property
    def user_id(self) -> UUID:
        return self.operator.user_id

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to read."""
        return await fetch_own_license(db, self.operator, license_id)

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to change something under it."""
        return await lock_own_license(db, self.operator, license_id)


@dataclass(frozen=True, slots=True)
class CustomerHolder:
    """The licenses of the user's institutions; Owners and Admins change something under them."""

    operator: Operator
    kind: HolderKind = "Customer"

    @property
    def user_id(self) -> UUID:
        return self.operator.user_id

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to read."""
        return await fetch_received_license(db, self.operator, license_id)

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """Return one of the licenses, to change something under it."""
        admin = replace(self.operator, needed=Role.ADMIN)
        return await lock_received_license(db, admin, license_id)


async def customer_of(work: UnitOfWork, institution_id: UUID, issued_to: str | None) -> UUID | None:
    """Return the customer whose address a license is issued to; a missing one is created.

    A user's ID stands for the address of their account.
    """
    email = issued_to
    if issued_to is not None and is_uuid(issued_to):
        user = await fetch_user(work.db, UUID(issued_to))
        email = None if user is None else user.email
    return None if email is None else await ensure_customer(work, institution_id, email)


async def give_customer(work: UnitOfWork, institution_id: UUID, license_id: UUID) -> bool:
    """Give a license that has none the customer of its address. Returns whether it got one."""
    license_ = await storage.lock_license(work.db, Visibility((institution_id,)), license_id)
    if license_ is None or license_.customer_id is not None:
        return False
    if license_.issued_to is None or not is_email(license_.issued_to):
        return False
    customer_id = await customer_of(work, institution_id, license_.issued_to)
    await storage.update_license(work.db, structs.replace(license_, customer_id=customer_id))
    return True


async def hold_customers_of(
    db: Connection, ids: Sequence[LicenseId]
) -> dict[UUID, Customer | None]:
    """Return the customer of each of these licenses; missing licenses are omitted.

    None of the customers is erased until the transaction ends.
    """
    found = await fetch_customer_ids(db, list(dict.fromkeys(ids)))
    keys = {(institution_id, found.get(license_id)) for institution_id, license_id in ids}
    held = await hold_customers(db, [(first, last) for first, last in keys if last is not None])
    return {license_id: held.get(item) if item else None for license_id, item in found.items()}


async def licenses_of(db: Connection, customer: Customer) -> list[UUID]:
    """Return the IDs of the licenses of a customer, oldest first."""
    return await find_ids(db, customer.institution_id, customer.id)

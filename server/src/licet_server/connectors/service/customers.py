"""Customers who are merged keep their orders."""

from collections.abc import Collection, Sequence
from uuid import UUID

from licet_server.connectors.storage import orders as storage
from licet_server.customers.rules.model import Customer
from licet_server.customers.service.hooks import CustomerLicenses
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


class OrdersOfCustomers:
    """Implements `customers.service.hooks.CustomerLicenses`: moves orders along with licenses."""

    def __init__(self, licenses: CustomerLicenses) -> None:
        self._licenses = licenses

    async def count(self, db: Connection, customers: Sequence[Customer]) -> dict[UUID, int]:
        """How many licenses each of these customers has."""
        return await self._licenses.count(db, customers)

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        """Lock the connectors, then the orders, then the licenses of a customer.

        Whoever reads events of a shop, or works on an order, locks in this order, too.
        """
        await storage.lock_of_customer(work.db, customer.institution_id, customer.id)
        await self._licenses.lock(work, customer)

    async def move(self, work: UnitOfWork, duplicate: Customer, kept: Customer) -> int:
        """Give the licenses and the orders of a customer to another one."""
        await storage.move_customer(work.db, kept.institution_id, duplicate.id, kept.id)
        return await self._licenses.move(work, duplicate, kept)

    async def receivers(self, db: Connection, customer: Customer) -> dict[UUID, str | None]:
        """The licenses of a customer, each with the address or user that it is issued to."""
        return await self._licenses.receivers(db, customer)

    async def others_issued_to(
        self, db: Connection, institution_id: UUID, names: Collection[str]
    ) -> set[str]:
        """The addresses and users, in lower case, that other institutions issued licenses to."""
        return await self._licenses.others_issued_to(db, institution_id, names)

    async def revoke(self, work: UnitOfWork, operator: Operator, customer: Customer) -> None:
        """Revoke all licenses of a customer."""
        await self._licenses.revoke(work, operator, customer)

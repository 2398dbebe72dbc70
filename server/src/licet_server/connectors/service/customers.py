"""Customers who are merged keep their orders."""

from licet_server.connectors.storage import orders as storage
from licet_server.customers.rules.model import Customer
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.customer_licenses import LicensesOfCustomers


class SalesOfCustomers(LicensesOfCustomers):
    """Locks and moves the orders of customers with their licenses."""

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        """Lock the connectors, then the orders, then the licenses of a customer.

        Jobs that link events or settle orders lock in this order, too.
        """
        await storage.lock_of_customer(work.db, customer.institution_id, customer.id)
        await super().lock(work, customer)

    async def move(self, work: UnitOfWork, duplicate: Customer, kept: Customer) -> int:
        """Give the licenses and the orders of a customer to another one."""
        await storage.move_customer(work.db, kept.institution_id, duplicate.id, kept.id)
        return await super().move(work, duplicate, kept)

"""What customers ask of the feature that keeps licenses; wired in `app`."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from licet_server.customers.rules.model import Customer
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


class CustomerLicenses(Protocol):
    """The licenses of customers."""

    async def count(self, db: Connection, customers: Sequence[Customer]) -> dict[UUID, int]:
        """How many licenses each of these customers has, in one statement for all."""
        ...

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        """Lock the licenses of a customer.

        Whoever changes a license locks it first and its customer then, so a change of customers
        that moves licenses begins with these.
        """
        ...

    async def move(self, work: UnitOfWork, double: Customer, kept: Customer) -> int:
        """Give the licenses of a customer to another one; returns how many."""
        ...

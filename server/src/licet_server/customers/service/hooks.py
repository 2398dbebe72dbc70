"""Interfaces of customers to the features above them; wired in `app`."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from licet_server.customers.rules.model import Customer, CustomerFigures, Holding
from licet_server.customers.rules.personal_data import DataSubject
from licet_server.customers.storage import Holds
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported, erase_of_licenses, export_of_licenses
from licet_server.kit.unit_of_work import UnitOfWork


class CustomerLicenses(Protocol):
    """The licenses of customers."""

    async def count(self, db: Connection, customers: Sequence[Customer]) -> dict[UUID, int]:
        """Count the licenses of each of these customers in one statement."""
        ...

    async def figures(
        self, db: Connection, customers: Sequence[Customer], now: datetime
    ) -> dict[UUID, CustomerFigures]:
        """Return what each of these customers has, in a few statements; those without are omitted.

        The statuses of licenses are those at `now`, or by the clock of their product.
        """
        ...

    def holds(self, holding: Holding, now: datetime) -> Holds:
        """Return the condition that a customer has such licenses at `now`."""
        ...

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        """Lock the licenses of a customer.

        A change of a license locks it before its customer, so a change of customers that moves
        licenses begins with the licenses.
        """
        ...

    async def move(self, work: UnitOfWork, duplicate: Customer, kept: Customer) -> int:
        """Give the licenses of a customer to another one; returns how many."""
        ...

    async def readdress(self, work: UnitOfWork, customer: Customer, former: str) -> int:
        """Issue the licenses of a customer that are issued to a former address to the present one.

        Returns how many.
        """
        ...

    async def receivers(self, db: Connection, customer: Customer) -> dict[UUID, str | None]:
        """Return the licenses of a customer, each with the address or user that it is issued to."""
        ...

    async def others_issued_to(
        self, db: Connection, institution_id: UUID, names: Collection[str]
    ) -> set[str]:
        """Return which of these, in lower case, other institutions issued licenses to."""
        ...

    async def revoke(self, work: UnitOfWork, operator: Operator, customer: Customer) -> None:
        """Revoke all licenses of a customer."""
        ...


class PersonalData(Protocol):
    """The personal data that a feature stores."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return it by the names of tables."""
        ...

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Replace or delete it; returns how many rows, by the names of tables."""
        ...


class PersonalDataOfLicenses:
    """The personal data in tables that are about holders of licenses. Implements `PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return the rows of the person's licenses."""
        return await export_of_licenses(db, subject.institution_id, subject.license_ids)

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Erase the rows of the person's licenses."""
        return await erase_of_licenses(work.db, subject.institution_id, subject.license_ids)


@dataclass(frozen=True, slots=True)
class PersonalDataOfFeatures:
    """The personal data of all features above customers."""

    parts: Sequence[PersonalData]

"""What customers ask of licenses."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.customers.reading import Holds
from licet_server.customers.rules.model import Customer, CustomerFigures, Holding
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service import lifecycle
from licet_server.licenses.service.events import license_event
from licet_server.licenses.service.holders import licenses_of
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.storage import holders as storage


@dataclass(frozen=True, slots=True)
class LicensesOfCustomers:
    """Implements `customers.service.hooks.CustomerLicenses`."""

    hooks: LicenseHooks

    async def count(self, db: Connection, customers: Sequence[Customer]) -> dict[UUID, int]:
        """Return how many licenses each of these customers has."""
        keys = [(item.institution_id, item.id) for item in customers]
        return await storage.count_by_customer(db, keys) if keys else {}

    async def figures(
        self, db: Connection, customers: Sequence[Customer], now: datetime
    ) -> dict[UUID, CustomerFigures]:
        """Return how many licenses of each status these customers have, and when the next ends."""
        keys = [(item.institution_id, item.id) for item in customers]
        return await storage.figures_by_customer(db, keys, now)

    def holds(self, holding: Holding, now: datetime) -> Holds:
        """Return the condition that a customer has such licenses at `now`."""
        return storage.holds(holding, now)

    async def lock(self, work: UnitOfWork, customer: Customer) -> None:
        await storage.lock_of_customer(work.db, customer.institution_id, customer.id)

    async def move(self, work: UnitOfWork, duplicate: Customer, kept: Customer) -> int:
        """Give the licenses of a customer to another one; returns how many."""
        return await storage.move_licenses(
            work.db, duplicate.institution_id, duplicate.id, kept.id, work.now
        )

    async def readdress(self, work: UnitOfWork, customer: Customer, former: str) -> int:
        """Issue what is issued to a former address of a customer to the present one."""
        of = (customer.institution_id, customer.id)
        before = await storage.fetch_addressed(work.db, *of, former)
        await storage.readdress_licenses(work.db, *of, former, customer.email, work.now)
        events = [
            license_event(
                EventKind.LICENSE_UPDATED,
                replace(item, issued_to=customer.email, updated_at=work.now),
                work.now,
                before=item,
            )
            for item in before
        ]
        await record_events(work, events)
        return len(events)

    async def receivers(self, db: Connection, customer: Customer) -> dict[UUID, str | None]:
        """Return the licenses of a customer, each with the address or user that it is issued to."""
        return await storage.fetch_receivers_of(db, customer.institution_id, customer.id)

    async def others_issued_to(
        self, db: Connection, institution_id: UUID, names: Collection[str]
    ) -> set[str]:
        """Return the holders, in lower case, to whom other institutions issued licenses."""
        return await storage.fetch_issued_elsewhere(db, institution_id, names)

    async def revoke(self, work: UnitOfWork, operator: Operator, customer: Customer) -> None:
        for license_id in await licenses_of(work.db, customer):
            await lifecycle.revoke(work, operator, license_id, None, hooks=self.hooks)

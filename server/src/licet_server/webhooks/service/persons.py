"""What deliveries hold of persons."""

from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.webhooks.storage import persons as storage


class DeliveriesOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return nothing: deliveries refer to events, which are exported."""
        return {}

    async def erase(self, work: UnitOfWork, person: Person) -> Counts:
        """Delete what receivers responded to events about the person; they may repeat them."""
        erased = await storage.erase_responses(work.db, person.institution_id, person.event_ids)
        return {"webhookDeliveries": erased}

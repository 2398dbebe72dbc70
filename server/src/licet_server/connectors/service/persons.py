"""What orders and the events of shops hold of persons."""

from licet_server.connectors.storage import persons as storage
from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported
from licet_server.kit.unit_of_work import UnitOfWork


class SalesOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return the orders of a person, with what shops have sent about them."""
        return await storage.export(db, person)

    async def erase(self, work: UnitOfWork, person: Person) -> None:
        """Erase the person from orders, and from what shops have sent."""
        await storage.erase(work.db, person)

"""What saved views tell of persons."""

from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.saved_views.storage import saved_views as storage


class ViewsOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return nothing: a view is what an operator looked for, not what is known of a person."""
        return {}

    async def erase(self, work: UnitOfWork, person: Person) -> None:
        """Delete the views that look for the person, by an address or a name."""
        if person.texts:
            await storage.delete_with_texts(work.db, person.institution_id, person.texts)

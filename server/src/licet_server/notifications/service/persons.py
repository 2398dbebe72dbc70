"""What notifications tell of persons."""

from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications.storage import persons as storage


class NotificationsOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return nothing: notifications repeat what events tell."""
        return {}

    async def erase(self, work: UnitOfWork, person: Person) -> None:
        """Delete the notifications that tell of the person."""
        await storage.delete_about(
            work.db, person.institution_id, person.subject_ids, person.event_ids, person.texts
        )

"""What saved views tell of persons."""

from licet_server.customers.rules.persons import Person
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.saved_views.storage import saved_views as storage


class ViewsOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return nothing: a view is what an operator looked for, not what is known of a person."""
        return {}

    async def erase(self, work: UnitOfWork, person: Person) -> Counts:
        """Delete the views that are named by an address of the person, or look for it or an ID."""
        sought = {*person.addresses, *map(str, person.subject_ids)}
        deleted = await storage.delete_searching(work.db, person.institution_id, sought)
        return {"savedViews": deleted}

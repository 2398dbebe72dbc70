"""What is stored of the receivers of e-mails."""

from licet_server.customers.rules.persons import Person
from licet_server.delivery.storage.mails import ROWS, find_ids
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.personal import Exported
from licet_server.kit.unit_of_work import UnitOfWork


class MailsOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return the e-mails about the person's licenses."""
        return await ROWS.export(db, person.institution_id, person.license_ids)

    async def erase(self, work: UnitOfWork, person: Person) -> None:
        """Erase the receivers, and delete the e-mails themselves, those that wait included."""
        institution_id, licenses = person.institution_id, person.license_ids
        ids = await find_ids(work.db, institution_id, licenses)
        await mail.delete_written(work, ids)
        await ROWS.erase(work.db, institution_id, licenses)

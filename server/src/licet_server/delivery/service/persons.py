"""What is stored of the receivers of e-mails."""

from licet_server.customers.rules.persons import Person
from licet_server.delivery.storage import erase_mails, export_mails
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork


class MailsOfPersons:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, person: Person) -> Exported:
        """Return the e-mails to the person."""
        found = await export_mails(db, person.institution_id, person.addresses)
        return {"licenseMails": found}

    async def erase(self, work: UnitOfWork, person: Person) -> Counts:
        """Erase the receivers, and delete the e-mails themselves, those that wait included.

        Those about a move to another address are found by their recipients alone.
        """
        ids = await erase_mails(
            work.db, person.institution_id, person.license_ids, person.addresses
        )
        await mail.delete_written(work, ids)
        await mail.delete_of_vendor(work, person.institution_id, person.addresses)
        return {"licenseMails": len(ids)}

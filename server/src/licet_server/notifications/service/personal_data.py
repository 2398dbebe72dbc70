"""Personal data in notifications."""

from licet_server.customers.rules.personal_data import DataSubject
from licet_server.identity.service.users import fetch_user
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.personal import Counts, Exported
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.notifications.storage import notifications as storage


class PersonalDataOfNotifications:
    """Implements `customers.service.hooks.PersonalData`."""

    async def export(self, db: Connection, subject: DataSubject) -> Exported:
        """Return nothing: notifications repeat what events tell."""
        return {}

    async def erase(self, work: UnitOfWork, subject: DataSubject) -> Counts:
        """Delete the notifications that tell of the person, and subjects of e-mails like them."""
        deleted = await storage.delete_about(
            work.db, subject.institution_id, subject.subject_ids, subject.event_ids
        )
        recipients = {user_id: await fetch_user(work.db, user_id) for user_id, *_ in deleted}
        for user_id, title, created_at in deleted:
            if (recipient := recipients[user_id]) is not None:
                await mail.erase_subject(work, recipient.email, title, created_at)
        return {"notifications": len(deleted)}

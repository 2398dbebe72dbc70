"""The accounts of persons who belong to no institution."""

from collections.abc import Collection
from uuid import UUID

from licet_server.identity.storage import persons as storage
from licet_server.kit import mail
from licet_server.kit.unit_of_work import UnitOfWork


async def forget_accounts(
    work: UnitOfWork, user_ids: Collection[UUID], emails: Collection[str]
) -> None:
    """Delete accounts, and the requests of and e-mails to these addresses, in lower case."""
    await storage.delete_accounts(work.db, user_ids)
    await storage.delete_requests(work.db, emails)
    await mail.delete_to(work, emails)

"""Serves requests for portal access for e-mail addresses that licenses are issued to."""

from licet_server.identity.service.portal_access import answer_access_requests, take_access_requests
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.service.receivers import find_receivers

_BATCH_SIZE = 100


async def mail_access(platform: Platform) -> int:
    """Send the requested e-mails. Returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        emails = await take_access_requests(work, _BATCH_SIZE)
        receivers = await find_receivers(work.db, emails)
        return await answer_access_requests(work, emails, receivers)

"""E-mails end users who requested access to the portal, if it has anything to show them."""

from licet_server.identity.service.portal_access import answer_access_requests, take_access_requests
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.service.receivers import find_receivers

_AT_ONCE = 100


async def mail_access(platform: Platform) -> int:
    """Write the requested e-mails; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        emails = await take_access_requests(work, _AT_ONCE)
        receivers = await find_receivers(work.db, emails)
        return await answer_access_requests(work, emails, receivers)

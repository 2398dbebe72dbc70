"""Tells those who asked for a way in how to get it, where there is something for them to see."""

from licet_server.identity.service.portal_access import answer_access_requests, take_access_requests
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.service.receivers import find_receivers

_AT_ONCE = 100


async def mail_access(platform: Platform) -> int:
    """Write the letters that were asked for; answers how many."""
    async with platform.unit_of_work(Origin()) as work:
        emails = await take_access_requests(work, _AT_ONCE)
        receivers = await find_receivers(work.db, emails)
        return await answer_access_requests(work, emails, receivers, platform.settings.address)

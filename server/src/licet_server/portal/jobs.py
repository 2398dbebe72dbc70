"""Background jobs of the portal."""

from licet_server.kit.platform import Platform
from licet_server.portal.service import access


async def mail_access(platform: Platform) -> int:
    """Send the e-mails for requests of portal access. Returns how many."""
    return await access.mail_access(platform)

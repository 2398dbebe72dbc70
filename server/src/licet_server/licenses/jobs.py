"""Background jobs of licenses."""

from licet_server.kit.platform import Platform
from licet_server.licenses.service import reminders


async def remind_of_expiry(platform: Platform) -> int:
    """Record events about terms that end soon or have ended; return how many."""
    return await reminders.remind(platform)

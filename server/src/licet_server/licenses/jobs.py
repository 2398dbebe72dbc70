"""The background work of licenses."""

from licet_server.kit.platform import Platform
from licet_server.licenses.service import reminders


async def remind_of_expiry(platform: Platform) -> int:
    """Tell of terms that end soon or have ended; answers of how many."""
    return await reminders.remind(platform)

"""Background jobs of licenses."""

from licet_server.kit.platform import Platform
from licet_server.licenses.service import reminders
from licet_server.licenses.service.hooks import LicenseHooks


async def remind_of_expiry(platform: Platform, hooks: LicenseHooks) -> int:
    """Record events about terms that end soon or have ended; return how many.

    What is left of a license whose term has ended is tidied up by `hooks`.
    """
    return await reminders.remind(platform, hooks)

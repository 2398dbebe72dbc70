"""Background jobs of devices."""

from licet_server.archives.service.archiving import archive_rows
from licet_server.devices.service.archiving import ATTEMPTS
from licet_server.kit.platform import Platform


async def archive_attempts(platform: Platform) -> int:
    """Archive old access attempts; return how many."""
    return await archive_rows(platform, ATTEMPTS, platform.settings.keep_attempts)

"""Background work of single sign-on."""

from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.sso.storage.sign_ins import delete_expired


async def forget_attempts(platform: Platform) -> int:
    """Delete sign-ins that nobody finished and tokens that nobody used; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        return await delete_expired(work.db, work.now)

"""The background work of accounts."""

from licet_server.accounts import service
from licet_server.kit.work import Platform


async def mail_reset_tokens(platform: Platform) -> int:
    """Write the letters of those who forgot their passwords; answers how many."""
    return await service.mail_reset_tokens(platform)

"""The background work of accounts."""

from licet_server.identity.service import purge, recovery
from licet_server.kit.platform import Platform


async def mail_reset_tokens(platform: Platform) -> int:
    """Write the letters of those who forgot their passwords; answers how many."""
    return await recovery.mail_reset_tokens(platform)


async def forget_sign_ins(platform: Platform) -> int:
    """Delete sign-ins and refresh tokens that are long over; answers how many rows."""
    return await purge.forget_sign_ins(platform)

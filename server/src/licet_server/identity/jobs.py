"""Background work of identity."""

from licet_server.identity.service import password_reset, purge
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform


async def mail_reset_tokens(platform: Platform) -> int:
    """Write the requested password reset e-mails; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        return await password_reset.mail_reset_tokens(work)


async def forget_sign_ins(platform: Platform) -> int:
    """Delete sign-ins and refresh tokens that ended long ago; returns the number of rows."""
    return await purge.forget_sign_ins(platform)

"""Routes of the outbox of e-mails, for system Admins."""

from litestar import get
from litestar.handlers import HTTPRouteHandler

from licet_server.identity.access import SystemAdmin
from licet_server.identity.schemas.mails import MailView, mail_view
from licet_server.kit.database import Connection
from licet_server.kit.mail import list_mails as fetch_mails
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.web.dependencies import Given


@get("/api/mails", access=SystemAdmin(), tags=["Service"])
async def list_mails(
    platform: Given[Platform], db: Given[Connection], paging: Given[Paging]
) -> Listing[MailView]:
    """List the e-mails of the last 30 days, newest first; a sent one has no text any more."""
    return (await fetch_mails(db, platform.keyring, paging)).of(mail_view)


ROUTES: list[HTTPRouteHandler] = [list_mails]

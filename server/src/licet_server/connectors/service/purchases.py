"""Lists the orders of end users, for the portal."""

from uuid import UUID

from licet_server.connectors.rules.model import Order
from licet_server.connectors.storage import purchases as storage
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.service.holders import fetch_own_license


async def list_purchases(
    db: Connection, user: Operator, license_id: UUID, paging: Paging
) -> Listing[Order]:
    """List the orders of a license of the user that the user placed, newest first.

    What somebody else paid for it is not shown.

    Raises:
        Refused: `Forbidden` without a verified e-mail address, `NotFound`.
    """
    license_ = await fetch_own_license(db, user, license_id)
    key = (license_.institution_id, license_.id)
    return await storage.list_purchases(db, key, user.email.lower(), paging)

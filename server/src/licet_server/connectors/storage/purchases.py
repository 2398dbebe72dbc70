"""Reads the orders of a license for the person who bought it."""

from uuid import UUID

from sqlalchemy import ColumnElement, exists, func

from licet_server.connectors.rules.model import Order
from licet_server.connectors.storage.orders import ORDERS
from licet_server.connectors.tables import order_licenses, orders
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.statements import related
from licet_server.licenses.rules.model import LicenseId


async def list_purchases(
    db: Connection, license_id: LicenseId, buyer: str, paging: Paging
) -> Listing[Order]:
    """List the orders of a license with the buyer's address, in lower case, without test sales."""
    return await ORDERS.page(db, [license_id[0]], paging, _bought, license_id[1], buyer)


def _bought(license_id: UUID, buyer: str) -> list[ColumnElement[bool]]:
    return [
        exists().where(related(order_licenses, orders), order_licenses.c.license_id == license_id),
        func.lower(orders.c.email) == buyer,
        ~orders.c.is_test,
    ]

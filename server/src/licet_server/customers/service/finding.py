"""Search for a few customers."""

from licet_server.customers.rules.model import Customer
from licet_server.customers.storage import customers as storage
from licet_server.customers.storage.customers import CUSTOMERS
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.visibility import Visibility


async def search_customers(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[Customer]:
    """Find customers by ID, address, external reference or words: a few of each, in no order.

    `db` is a transaction.
    """
    identifier = id_in(text)
    if identifier is not None:
        customer = await CUSTOMERS.fetch(db, visibility, identifier)
        return [] if customer is None else [customer]
    found = await storage.fetch_named(db, visibility, text, limit)
    found += await storage.fetch_worded(db, visibility, text, limit)
    return list({item.id: item for item in found}.values())

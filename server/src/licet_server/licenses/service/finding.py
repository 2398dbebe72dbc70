"""Finds a few licenses by what somebody types."""

from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.reading import find_by_ids
from licet_server.licenses.storage import finding as storage


async def find_licenses(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses by ID, key, name, receiver or words of these, a few of each and in no order.

    `db` is a transaction.
    """
    identifier = id_in(text)
    if identifier is not None:
        return list((await find_by_ids(db, visibility, [identifier])).values())
    found = await storage.fetch_named(db, visibility, text, limit)
    found += await storage.fetch_worded(db, visibility, text, limit)
    return list({item.id: item for item in found}.values())

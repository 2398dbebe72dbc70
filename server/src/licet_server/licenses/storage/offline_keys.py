"""Queries of licenses by the hashes of their keys, which offline requests have."""

from sqlalchemy import select

from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.tables import licenses

_MOST = 20


async def fetch_by_key_hash(db: Connection, key_hash: str) -> list[License]:
    """Fetch the licenses with this hash of the key, of any product, that answer such requests.

    There are several only where products were given the same key.
    """
    statement = (
        select(*LICENSE_COLUMNS)
        .where(licenses.c.offline_key_hash == key_hash)
        .order_by(licenses.c.id)
        .limit(_MOST)
    )
    return [license_of(row) for row in await db.execute(statement)]

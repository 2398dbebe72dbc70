"""Queries for licenses that are carried over from another product."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import and_, select

from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, String
from licet_server.licenses.tables import licenses

_KEYS = Arrays("wanted", normal_key=String)


async def fetch_known_keys(
    db: Connection, institution_id: UUID, product_id: UUID, keys: Collection[str]
) -> set[str]:
    """Those of the normal forms of keys that licenses of the product have."""
    known = and_(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.normal_key == _KEYS.c.normal_key,
    )
    statement = select(licenses.c.normal_key).join(_KEYS.table, known)
    return set((await db.execute(statement, _KEYS.given([(key,) for key in keys]))).scalars())

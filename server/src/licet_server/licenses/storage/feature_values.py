"""Queries of the values that licenses have of features of their own."""

from uuid import UUID

from sqlalchemy import func, select

from licet_server.kit.database import Connection
from licet_server.licenses.tables import licenses


async def count_with(db: Connection, institution_id: UUID, product_id: UUID, name: str) -> int:
    """How many licenses of a product have a value of the feature with exactly this name."""
    statement = select(func.count()).where(
        licenses.c.institution_id == institution_id,
        licenses.c.product_id == product_id,
        licenses.c.feature_values.is_not(None),
        licenses.c.feature_values.op("?")(name),
    )
    return int((await db.execute(statement)).scalar_one())

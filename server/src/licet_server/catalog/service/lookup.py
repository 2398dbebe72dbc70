"""Products by id: for operators with their rights, for other features by institution."""

from uuid import UUID

from licet_server.accounts.rules import Operator
from licet_server.catalog.rules.model import Product
from licet_server.catalog.storage import products as storage
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found


async def find_product(db: Connection, visible: list[UUID], product_id: UUID) -> Product | None:
    """The product, if it is one of these institutions'."""
    return await storage.fetch_product(db, visible, product_id)


async def fetch_product(db: Connection, operator: Operator, product_id: UUID) -> Product:
    """A product that the operator sees and where he holds the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return _authorized(operator, await storage.fetch_product(db, operator.visible, product_id))


async def lock_product(
    db: Connection, operator: Operator, product_id: UUID, *, for_deletion: bool = False
) -> Product:
    """The same, held against concurrent changes until the transaction ends."""
    found = await storage.lock_product(db, operator.visible, product_id, for_deletion=for_deletion)
    return _authorized(operator, found)


def _authorized(operator: Operator, product: Product | None) -> Product:
    if product is None:
        raise not_found("product")
    operator.authorize(product.institution_id)
    return product

"""Finds out whose figures an operator may see."""

from uuid import UUID

from licet_server.accounts.rules import Operator
from licet_server.catalog import service as catalog
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.statistics.rules.scope import Scope


async def find_scope(
    db: Connection, operator: Operator, institution_id: UUID | None, product_id: UUID | None
) -> Scope:
    """All that the operator sees, or the institution or product that he names.

    Raises:
        Refused: `NotFound` for what he does not see.
    """
    visible = operator.visible
    if institution_id is not None:
        if institution_id not in operator.roles:
            raise not_found("institution")
        visible = [institution_id]
    if product_id is not None and await catalog.find_product(db, visible, product_id) is None:
        raise not_found("product")
    return Scope(visible, product_id)

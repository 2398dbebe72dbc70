"""Finds out what it is whose figures an operator asks for, and whether he may see them."""

from uuid import UUID

from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.statistics import errors


async def find_license(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    product_id: UUID | None,
    license_id: UUID,
) -> License:
    """A license that the operator sees, in the institution and product that he names, if any.

    Raises:
        Refused: `NotFound`.
    """
    visibility = operator.visibility_of(institution_id)
    found = (await reading.find_by_ids(db, visibility, [license_id])).get(license_id)
    if found is None or product_id not in {None, found.product_id}:
        raise operator.unseen("license")
    return found


async def find_scope(
    db: Connection, operator: Operator, institution_id: UUID | None, product_id: UUID | None
) -> Visibility:
    """All that the operator sees, or the institution or product that he names.

    Figures are of whole products: what is assigned to him by single releases is not in them.

    Raises:
        Refused: `NotFound` for what he does not see; `Forbidden` for a product of which he sees
            single releases.
    """
    visibility = operator.visibility_of(institution_id)
    if product_id is None:
        return visibility.of_whole_products()
    product = await find_product(db, visibility, product_id)
    if product is None:
        raise operator.unseen("product")
    if await find_product(db, visibility.of_whole_products(), product_id) is None:
        raise errors.single_releases_only()
    return visibility.within(product.institution_id).of_product(product_id)

"""The scope of a statistic, and whether the operator may see it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.statistics import errors


@dataclass(frozen=True, slots=True)
class Scope:
    """The products that figures cover, a snapshot to read them from, and the present time."""

    db: Connection
    visibility: Visibility
    now: datetime


async def find_license(
    db: Connection,
    operator: Operator,
    *,
    institution_id: UUID | None,
    product_id: UUID | None,
    license_id: UUID,
) -> License:
    """Find a license that is visible to the operator, in the named institution and product, if any.

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
    """Return all that is visible to the operator, or the named institution or product.

    Figures cover whole products: products visible only by single releases are left out.

    Raises:
        Refused: `NotFound` if it is not visible; `Forbidden` for a product of which only single
            releases are visible.
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

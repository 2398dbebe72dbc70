"""Products, and what belongs to them, by id."""

from collections.abc import Collection
from uuid import UUID

from licet_server.catalog.rules.model import EntitlementSet, Product, Release
from licet_server.catalog.rules.releases import Issuable
from licet_server.catalog.storage import features, products, releases
from licet_server.catalog.storage import products as storage
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.look_ups import Source
from licet_server.kit.visibility import Visibility


async def find_product(source: Source, visibility: Visibility, product_id: UUID) -> Product | None:
    """Fetch a product if it is visible."""
    return await storage.fetch_product(source, visibility, product_id)


async def find_issuable(
    db: Connection, visibility: Visibility, product_id: UUID
) -> Issuable | None:
    """Fetch a product if it is visible, with all that issuing a license of it asks for."""
    return await releases.fetch_issuable(db, visibility, product_id)


async def find_visible_release(
    db: Connection, visibility: Visibility, release_id: UUID
) -> Release | None:
    """Fetch a release of any product if it is visible."""
    return await releases.RELEASES.fetch(db, visibility, release_id)


async def find_visible_set(
    db: Connection, visibility: Visibility, set_id: UUID
) -> EntitlementSet | None:
    """Fetch an entitlement set of any product if it is visible."""
    return await features.SETS.fetch(db, visibility, set_id)


async def fetch_product(source: Source, operator: Operator, product_id: UUID) -> Product:
    """Fetch a product that is visible to the operator, who has the role that the route requires."""
    found = await storage.fetch_product(source, operator.visibility, product_id)
    return operator.found(found, "product")


async def lock_product(
    db: Connection, operator: Operator, product_id: UUID, *, for_deletion: bool = False
) -> Product:
    """Lock a product until the transaction ends, and fetch it."""
    found = await storage.lock_product(
        db, operator.visibility, product_id, for_deletion=for_deletion
    )
    return operator.found(found, "product")


async def fetch_any_product(db: Connection, product_id: UUID) -> Product:
    """Fetch a product of any institution, for the console.

    Raises:
        Refused: `NotFound`.
    """
    visibility = await storage.visibility_of_any(db, product_id)
    product = await storage.fetch_product(db, visibility, product_id)
    if product is None:
        raise not_found("product")
    return product


async def find_place(db: Connection, product_id: UUID) -> tuple[UUID, str] | None:
    """Return the institution and the name of a product, for a request that names no more."""
    return await storage.fetch_place(db, product_id)


class CatalogAssignables:
    """Implements `institutions.service.members.AssignableCatalog`."""

    async def visible_products(
        self, db: Connection, visibility: Visibility, product_ids: Collection[UUID]
    ) -> set[UUID]:
        """Return those of these products that are visible, also by single releases."""
        return await products.fetch_visible_ids(db, visibility, product_ids)

    async def visible_releases(
        self, db: Connection, visibility: Visibility, release_ids: Collection[UUID]
    ) -> set[UUID]:
        return await releases.fetch_visible_ids(db, visibility, release_ids)

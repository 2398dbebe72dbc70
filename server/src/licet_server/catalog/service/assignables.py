"""Products and releases that can be assigned to Members of an institution."""

from collections.abc import Collection
from uuid import UUID

from licet_server.catalog.storage import products, releases
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility


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
        """Return those of these releases that are visible."""
        return await releases.fetch_visible_ids(db, visibility, release_ids)

"""Tells accounts, which stands below, what of the catalog can be assigned."""

from collections.abc import Collection
from uuid import UUID

from licet_server.catalog.storage import products, releases
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility


class CatalogShelf:
    """`accounts.service.Shelf`, on the products and releases that there are."""

    async def seen_products(
        self, db: Connection, visibility: Visibility, product_ids: Collection[UUID]
    ) -> set[UUID]:
        """Those of these products that are seen, also by single releases."""
        return await products.fetch_seen_ids(db, visibility, product_ids) if product_ids else set()

    async def seen_releases(
        self, db: Connection, visibility: Visibility, release_ids: Collection[UUID]
    ) -> set[UUID]:
        """Those of these releases that are seen."""
        return await releases.fetch_seen_ids(db, visibility, release_ids) if release_ids else set()

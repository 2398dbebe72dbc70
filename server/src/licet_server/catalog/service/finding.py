"""Finds a few products and releases by what somebody types, which is not only spaces."""

from licet_server.catalog.storage import finding as storage
from licet_server.catalog.storage.finding import FoundProduct, FoundRelease
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.visibility import Visibility


async def find_products(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[FoundProduct]:
    """Products by ID or a part of their name, those first that begin with it."""
    return await storage.fetch_products(db, visibility, text, id_in(text), limit)


async def find_releases(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[FoundRelease]:
    """Releases by ID or version, newest first; "Editor 2" are those 2... of products so named."""
    return await storage.fetch_releases(db, visibility, text, id_in(text), limit)

"""Queries of the search for products and releases."""

from dataclasses import dataclass
from uuid import UUID

from msgspec import convert
from sqlalchemy import and_, func, or_, select

from licet_server.catalog.rules.model import ReleaseStatus
from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.catalog.tables import products, releases
from licet_server.kit.database import Connection
from licet_server.kit.filters import visible_to
from licet_server.kit.ids import id_in
from licet_server.kit.paging import contains
from licet_server.kit.visibility import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProduct:
    """A product with its name."""

    institution_id: UUID
    id: UUID
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelease:
    """A release with its version, and the name of its product."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    product_name: str
    version: str
    channel: str
    status: ReleaseStatus


async def find_products(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[FoundProduct]:
    """Find products by ID or a part of their name, those first that begin with it."""
    identifier = id_in(text)
    name = func.lower(products.c.name)
    named = contains(products.c.name, text)
    statement = (
        select(products.c.institution_id, products.c.id, products.c.name)
        .where(
            product_visible_to(visibility, products.c.institution_id, products.c.id),
            named if identifier is None else or_(named, products.c.id == identifier),
        )
        .order_by(name.startswith(text.lower(), autoescape=True).desc(), name)
        .limit(limit)
    )
    return [FoundProduct(**row._mapping) for row in await db.execute(statement)]


async def find_releases(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[FoundRelease]:
    """Find releases by ID, or by how their version begins, newest first.

    The last word of the text, which has one, is the version; the words before it are looked for in
    the name of the product.
    """
    *product, version = text.split()
    identifier = id_in(text)
    begins = func.lower(releases.c.version).startswith(version.lower(), autoescape=True)
    matches = releases.c.id == identifier if identifier is not None else begins
    columns = releases.c
    statement = (
        select(
            columns.institution_id,
            columns.id,
            columns.product_id,
            products.c.name.label("product_name"),
            columns.version,
            columns.channel,
            columns.status,
        )
        .join(
            products,
            and_(
                products.c.institution_id == columns.institution_id,
                products.c.id == columns.product_id,
            ),
        )
        .where(
            visible_to(visibility, columns.institution_id, columns.product_id, columns.id),
            matches,
            *(contains(products.c.name, word) for word in product),
        )
        .order_by(columns.id.desc())
        .limit(limit)
    )
    return [convert(row._mapping, FoundRelease) for row in await db.execute(statement)]

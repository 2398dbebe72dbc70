"""Product images, which anyone who knows the product's id can see."""

import hashlib
from dataclasses import replace
from uuid import UUID

from licet_server.catalog.rules.model import Product, ProductImage
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.service.recording import record
from licet_server.catalog.storage import files
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.images import reencode
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork


async def check_product(platform: Platform, operator: Operator, product_id: UUID) -> None:
    """Check that the operator may change the product, before the body is read.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    async with platform.database.reading() as db:
        await fetch_product(db, operator, product_id)


async def set_image(
    platform: Platform, origin: Origin, operator: Operator, product_id: UUID, content: bytes
) -> Product:
    """Set or replace the image of a product.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest` for an unusable image.
    """
    picture = await reencode("image", content)
    version = hashlib.sha256(picture.content).hexdigest()[:12]
    async with platform.unit_of_work(origin) as work:
        product = await lock_product(work.db, operator, product_id)
        image = ProductImage(picture.media_type, picture.content, version)
        await files.replace_image(work.db, product, image)
        return await _recorded(work, product, version)


async def delete_image(work: UnitOfWork, operator: Operator, product_id: UUID) -> None:
    """Delete the image; without one, nothing changes.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    product = await lock_product(work.db, operator, product_id)
    await files.delete_image(work.db, product)
    await _recorded(work, product, None)


async def fetch_image(db: Connection, product_id: UUID) -> ProductImage:
    """Fetch the image of a product.

    Raises:
        Refused: `NotFound`, whether the image or the product does not exist.
    """
    image = await files.fetch_image(db, product_id)
    if image is None:
        raise not_found("image")
    return image


async def _recorded(work: UnitOfWork, product: Product, version: str | None) -> Product:
    if version != product.image_version:
        changed = replace(product, image_version=version)
        changes = {"imageVersion": [product.image_version, version]}
        await record(work, EventKind.PRODUCT_UPDATED, changed, changes)
        return changed
    return product

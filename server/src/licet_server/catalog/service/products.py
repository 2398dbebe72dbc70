"""Products: created with a release and a product key, changed, looked up, deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    TEST_PRODUCTS_MAX,
    AccessType,
    Product,
    ProductMode,
    ReleaseStatus,
    invitation_breaches,
    merge_settings,
    test_name,
)
from licet_server.catalog.rules.releases import PublishedVersion
from licet_server.catalog.service.associations import Invitee, invite
from licet_server.catalog.service.credentials import add_product_key
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.service.recording import EVENTS
from licet_server.catalog.service.releases import add_release
from licet_server.catalog.storage import products as storage
from licet_server.catalog.storage import releases
from licet_server.catalog.storage.associations import count_associations
from licet_server.catalog.storage.products import PRODUCTS
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.institutions import require_room
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import lock_limits, require_known
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field, bad_fields, not_found
from licet_server.kit.images import Picture, reencode
from licet_server.kit.origin import Origin
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductDraft:
    """A product to create; its texts are validated. `settings` contains the given ones."""

    institution_id: UUID | None
    name: str
    initial_version: str
    release_channel: str
    access_type: AccessType
    test: bool
    invited_institution_ids: Sequence[UUID]
    description: str | None
    settings: Mapping[str, Any]


async def create_product(work: UnitOfWork, operator: Operator, draft: ProductDraft) -> Product:
    """Create a product with a published first release and one product key; invite institutions.

    Raises:
        Refused: `InvalidRequest` naming every invalid field, `Forbidden` without the role or if
            neither the operator nor an Owner has a verified address, `PlanLimitReached`,
            `Conflict` if the name is taken, or for too many Test products.
    """
    institution_id = operator.institution_for_new(draft.institution_id)
    if institution_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    await require_known(work.db, operator, institution_id)
    settings, breaches = merge_settings(None, draft.settings)
    breaches += invitation_breaches(draft.access_type, draft.invited_institution_ids)
    if breaches:
        raise bad_fields(breaches)
    await _require_room(work, institution_id, is_test=draft.test)
    product = Product(
        institution_id=institution_id,
        id=work.new_id(),
        name=draft.name,
        description=draft.description,
        access_type=draft.access_type,
        test=draft.test,
        associated_institution_ids=(),
        settings=settings,
        has_keys=False,
        image_version=None,
        license_count=0,
        created_at=work.now,
        updated_at=work.now,
    )
    await _add_product(work, product)
    await add_release(
        work,
        product,
        version=draft.initial_version,
        channel=draft.release_channel,
        status=ReleaseStatus.PUBLISHED,
        notes=None,
    )
    for invited_id in draft.invited_institution_ids:
        await invite(work, operator, product, Invitee(institution_id=invited_id))
    return product


async def copy_as_test(
    work: UnitOfWork, operator: Operator, product_id: UUID, name: str | None
) -> tuple[Product, Product]:
    """Create a Test product with the settings of a product and a product key; return both.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if the name is taken, or for too many Test
            products.
    """
    source = await fetch_product(work.db, operator, product_id)
    await _require_room(work, source.institution_id, is_test=True)
    copy = replace(
        source,
        id=work.new_id(),
        name=name or test_name(source.name),
        test=True,
        associated_institution_ids=(),
        has_keys=False,
        image_version=None,
        license_count=0,
        created_at=work.now,
        updated_at=work.now,
    )
    await _add_product(work, copy)
    return source, copy


async def _add_product(work: UnitOfWork, product: Product) -> None:
    await PRODUCTS.insert(work.db, product)
    await EVENTS.created(work, EventKind.PRODUCT_CREATED, product)
    await add_product_key(work, product)


async def _require_room(work: UnitOfWork, institution_id: UUID, *, is_test: bool) -> None:
    """Check that there may be another product: by the plan, or within a fixed number of tests."""
    limit = (await lock_limits(work.db, institution_id)).products
    tests = await storage.test_products(work.db, [institution_id])
    if is_test:
        if len(tests) >= TEST_PRODUCTS_MAX:
            raise errors.too_many_test_products(TEST_PRODUCTS_MAX)
    elif limit is not None:
        used = await storage.count_products(work.db, Visibility((institution_id,)).without(tests))
        require_room("products", limit, used)


async def change_product(
    work: UnitOfWork, operator: Operator, product_id: UUID, change: Mapping[str, Any]
) -> Product:
    """Change the fields in `change`, by the names of `Product`; `settings` contains the given ones.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest`, `Conflict` if the name is taken, and for
            a change to Opened while there are associations.
    """
    current = await lock_product(work.db, operator, product_id)
    settings, breaches = merge_settings(current.settings, change.get("settings", {}))
    if breaches:
        raise bad_fields(breaches)
    access_type: AccessType = change.get("access_type", current.access_type)
    if access_type is AccessType.OPENED and current.access_type is not AccessType.OPENED:
        count = await count_associations(work.db, current.scope)
        if count:
            raise errors.product_has_associations(count)
    changed = replace(
        current,
        name=change.get("name", current.name),
        description=change.get("description", current.description),
        access_type=access_type,
        settings=settings,
    )
    if changed == current:
        return current
    changed = replace(changed, updated_at=work.now)
    await storage.update_product(work.db, changed)
    await EVENTS.changed(work, EventKind.PRODUCT_UPDATED, current, changed)
    return changed


async def delete_product(work: UnitOfWork, operator: Operator, product_id: UUID) -> None:
    """Delete a product without licenses, and everything in it, permanently.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it has licenses.
    """
    product = await lock_product(work.db, operator, product_id, for_deletion=True)
    await storage.delete_product(work.db, product)
    await EVENTS.deleted(work, EventKind.PRODUCT_DELETED, product)


async def list_products(
    db: Connection,
    operator: Operator,
    paging: Paging,
    search: str | None,
    institution_id: UUID | None = None,
    mode: ProductMode | None = None,
) -> Listing[Product]:
    """List the products that are visible to the operator, in one institution if it is named."""
    visibility = operator.visibility_of(institution_id)
    return await storage.list_products(db, visibility, paging, search, mode)


async def latest_releases(
    db: Connection, operator: Operator, found: Sequence[Product]
) -> dict[UUID, PublishedVersion]:
    """Return the release of each product that was published last; those without are omitted."""
    keys = [(item.institution_id, item.id) for item in found]
    return await releases.latest_published(db, operator.visibility, keys)


async def count_licenses(work: UnitOfWork, institution_id: UUID, product_id: UUID, by: int) -> None:
    """Adjust the product's license counter, in the transaction that creates or deletes them."""
    await storage.add_to_license_count(work.db, institution_id, product_id, by)


async def check_product(platform: Platform, operator: Operator, product_id: UUID) -> None:
    """Check that the operator may change the product, before the body is read."""
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
    async with platform.unit_of_work(origin) as work:
        product = await lock_product(work.db, operator, product_id)
        await releases.replace_image(work.db, product, picture)
        return await _recorded(work, product, picture.version)


async def delete_image(work: UnitOfWork, operator: Operator, product_id: UUID) -> None:
    """Delete the image; without one, nothing changes."""
    product = await lock_product(work.db, operator, product_id)
    await releases.delete_image(work.db, product)
    await _recorded(work, product, None)


async def fetch_image(db: Connection, product_id: UUID) -> Picture:
    """Fetch the image of a product.

    Raises:
        Refused: `NotFound`, whether the image or the product does not exist.
    """
    image = await releases.fetch_image(db, product_id)
    if image is None:
        raise not_found("image")
    return image


async def _recorded(work: UnitOfWork, product: Product, version: str | None) -> Product:
    if version != product.image_version:
        changed = replace(product, image_version=version)
        changes = {"imageVersion": [product.image_version, version]}
        await EVENTS.happened(work, EventKind.PRODUCT_UPDATED, changed, changes)
        return changed
    return product

"""Queries of products and the institutions that they are associated with."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.exc import IntegrityError

from licet_server.catalog import errors
from licet_server.catalog.rules.model import AccessType, Product
from licet_server.catalog.rules.settings import ProductSettings, from_stored, stored_form
from licet_server.catalog.storage.arrays import TenantKey, wanted_keys
from licet_server.catalog.storage.visibility import product_visible_to
from licet_server.catalog.tables import associations, product_images, products, rsa_keys
from licet_server.kit.database import Connection, Id
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.filters import visible_to
from licet_server.kit.paging import Listing, Paging, contains, fetch_listing
from licet_server.kit.rows import refuse_violations
from licet_server.kit.visibility import Visibility

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(products.c.name),
    "createdAt": products.c.id,  # UUIDv7: the order of ids is the order of creation
    "updatedAt": products.c.updated_at,
}

_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "products_name_key": errors.product_name_taken,
    "products_institution_id_fkey": lambda: not_found("institution"),
}

_ASSOCIATED = (
    select(
        func.array_agg(
            aggregate_order_by(
                associations.c.customer_institution_id,
                associations.c.customer_institution_id,
            )
        )
    )
    .where(
        associations.c.institution_id == products.c.institution_id,
        associations.c.product_id == products.c.id,
        associations.c.customer_institution_id.is_not(None),
    )
    .scalar_subquery()
    .label("associated")
)
_HAS_KEYS = (
    exists()
    .where(
        rsa_keys.c.institution_id == products.c.institution_id,
        rsa_keys.c.product_id == products.c.id,
        rsa_keys.c.retired_at.is_(None),
    )
    .label("has_keys")
)
_IMAGE_VERSION = (
    select(product_images.c.version)
    .where(
        product_images.c.institution_id == products.c.institution_id,
        product_images.c.product_id == products.c.id,
    )
    .scalar_subquery()
    .label("image_version")
)


def _product(row: Row[Any]) -> Product:
    return Product(
        institution_id=row.institution_id,
        id=row.id,
        name=row.name,
        description=row.description,
        access_type=AccessType(row.access_type),
        associated_institution_ids=tuple(row.associated or ()),
        settings=from_stored(row.settings),
        has_keys=row.has_keys,
        image_version=row.image_version,
        license_count=row.visible_license_count,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _products(visibility: Visibility) -> Select[Any]:
    license_count = _license_count(visibility).label("visible_license_count")
    return select(products, _ASSOCIATED, _HAS_KEYS, _IMAGE_VERSION, license_count).where(
        _visible(visibility)
    )


def _license_count(visibility: Visibility) -> ColumnElement[Any]:
    """The number of licenses, if the product is visible as a whole."""
    if not visibility.releases:
        return products.c.license_count
    whole = visible_to(visibility.of_whole_products(), products.c.institution_id, products.c.id)
    return case((whole, products.c.license_count))


def _visible(visibility: Visibility) -> ColumnElement[bool]:
    return product_visible_to(visibility, products.c.institution_id, products.c.id)


def _same(institution_id: Any, product_id: Any) -> ColumnElement[bool]:
    return and_(products.c.institution_id == institution_id, products.c.id == product_id)


def _columns_of(product: Product) -> dict[str, Any]:
    return {
        "name": product.name,
        "description": product.description,
        "access_type": product.access_type,
        "settings": stored_form(product.settings),
        "updated_at": product.updated_at,
    }


async def insert_product(db: Connection, product: Product) -> None:
    """Raises `Refused`: `Conflict` if the name is taken, `NotFound` if the institution is gone."""
    with refuse_violations(_REFUSALS):
        await db.execute(
            insert(products).values(
                institution_id=product.institution_id,
                id=product.id,
                created_at=product.created_at,
                **_columns_of(product),
            )
        )


async def update_product(db: Connection, product: Product) -> None:
    """Raises `Refused` like `insert_product`."""
    same = _same(product.institution_id, product.id)
    with refuse_violations(_REFUSALS):
        await db.execute(update(products).where(same).values(**_columns_of(product)))


async def delete_product(db: Connection, institution_id: UUID, product_id: UUID) -> None:
    """Raises `Refused` (Conflict) while it has licenses."""
    statement = (
        delete(products)
        .where(_same(institution_id, product_id), products.c.license_count == 0)
        .returning(products.c.id)
    )
    try:
        deleted = (await db.execute(statement)).first()
    except IntegrityError:
        raise errors.product_has_licenses() from None
    if deleted is None:
        raise errors.product_has_licenses()


async def list_products(
    db: Connection, visibility: Visibility, paging: Paging, search: str | None
) -> Listing[Product]:
    statement = _products(visibility)
    if search:
        statement = statement.where(contains(products.c.name, search))
    sortable = {**_SORTABLE, "licenseCount": _license_count(visibility)}
    listing = await fetch_listing(db, statement, paging, id_column=products.c.id, sortable=sortable)
    return listing.of(_product)


@lru_cache(maxsize=128)
def _one_product(visibility: Visibility) -> Select[Any]:
    """Its parameter is `product_id`. Kept, because building it takes longer than running it."""
    return _products(visibility).where(products.c.id == bindparam("product_id", type_=Id))


async def fetch_product(db: Connection, visibility: Visibility, product_id: UUID) -> Product | None:
    given = {"product_id": product_id}
    row = (await db.execute(_one_product(visibility), given)).one_or_none()
    return None if row is None else _product(row)


async def fetch_seen_ids(
    db: Connection, visibility: Visibility, ids: Collection[UUID]
) -> set[UUID]:
    statement = select(products.c.id).where(_visible(visibility), products.c.id.in_(ids))
    return set((await db.execute(statement)).scalars())


async def lock_product(
    db: Connection, visibility: Visibility, product_id: UUID, *, for_deletion: bool = False
) -> Product | None:
    """Lock a product until the transaction ends, and fetch it.

    It is read after it is locked, to see what the previous holder of the lock committed. Licenses
    can be issued meanwhile, unless the lock is for a deletion: that must wait for them here, since
    waiting later, with the weaker lock, would be a deadlock.
    """
    lock = (
        select(products.c.id)
        .where(_visible(visibility), products.c.id == product_id)
        .with_for_update(key_share=not for_deletion, of=products)
    )
    await db.execute(lock)
    return await fetch_product(db, visibility, product_id)


async def lock_any_product(db: Connection, product_id: UUID) -> Product | None:
    """Lock and fetch a product of whatever institution, for the console."""
    statement = select(products.c.institution_id).where(products.c.id == product_id)
    institution_id = (await db.execute(statement)).scalar_one_or_none()
    if institution_id is None:
        return None
    return await lock_product(db, Visibility((institution_id,)), product_id)


async def share_product(db: Connection, institution_id: UUID, product_id: UUID) -> None:
    """Lock a product `FOR SHARE` until the transaction ends, so that its keys stay."""
    statement = select(products.c.id).where(_same(institution_id, product_id))
    await db.execute(statement.with_for_update(read=True))


async def fetch_settings(
    db: Connection, institution_id: UUID, product_id: UUID
) -> ProductSettings | None:
    statement = select(products.c.settings).where(_same(institution_id, product_id))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else from_stored(row.settings)


_ADD_LICENSES = (
    update(products)
    .where(
        _same(bindparam("of_institution", type_=Id), bindparam("of_product", type_=Id)),
    )
    .values(license_count=products.c.license_count + bindparam("added", type_=Integer))
)


async def add_to_license_count(
    db: Connection, institution_id: UUID, product_id: UUID, by: int
) -> None:
    given = {"of_institution": institution_id, "of_product": product_id, "added": by}
    await db.execute(_ADD_LICENSES, given)


@lru_cache(maxsize=128)
def _license_counts(visibility: Visibility) -> Select[Any]:
    return select(func.coalesce(func.sum(products.c.license_count), 0)).where(_visible(visibility))


async def sum_license_counts(db: Connection, visibility: Visibility) -> int:
    return int((await db.execute(_license_counts(visibility))).scalar_one())


async def count_products(db: Connection, visibility: Visibility) -> int:
    statement = select(func.count()).select_from(products).where(_visible(visibility))
    return int((await db.execute(statement)).scalar_one())


_SETTINGS = select(products.c.id, products.c.settings).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def find_settings(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, ProductSettings]:
    rows = await db.execute(_SETTINGS, wanted_keys.given(dict.fromkeys(keys)))
    return {row.id: from_stored(row.settings) for row in rows}


_NAMES = select(products.c.id, products.c.name).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def fetch_names(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, str]:
    rows = await db.execute(_NAMES, wanted_keys.given(dict.fromkeys(keys)))
    return {row.id: row.name for row in rows}

"""Queries of products and the institutions that they are associated with."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from msgspec import convert
from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    and_,
    any_,
    bindparam,
    case,
    column,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    Product,
    ProductMode,
    ProductSettings,
    ReleaseStatus,
    from_stored,
)
from licet_server.catalog.tables import associations, product_images, products, releases, rsa_keys
from licet_server.kit.database import Bytes, Connection, Id, String, array_parameter
from licet_server.kit.errors import not_found
from licet_server.kit.folded_columns import folded_column
from licet_server.kit.folding import folded
from licet_server.kit.ids import id_in
from licet_server.kit.kept import kept
from licet_server.kit.look_ups import LookUps, Source
from licet_server.kit.paging import Listing, Pages, Paging
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.kit.statements import Arrays, added_to, one_of, or_whole, related, visible_to
from licet_server.kit.text import part_pattern, start_pattern
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility

TenantKey = tuple[UUID, UUID]
"""An institution, and the id of a row in it."""

ReleaseKey = tuple[UUID, UUID, UUID]
"""An institution, one of its products, and a release of that."""

KeyHash = tuple[UUID, bytes]
"""An institution, and the hash of a product key."""


wanted_keys = Arrays("wanted", institution_id=Id, id=Id)

wanted_releases = Arrays("wanted", institution_id=Id, product_id=Id, release_id=Id)

wanted_features = Arrays("wanted", institution_id=Id, product_id=Id, name=String)

wanted_hashes = Arrays("wanted", institution_id=Id, key_hash=Bytes)

wanted_names = (
    func.unnest(array_parameter("names", String))
    .table_valued(column("name", String), with_ordinality="position")
    .render_derived(name="wanted")
)
"""In the order given: `position` counts from 1."""


def product_visible_to(
    visibility: Visibility, institution: ColumnElement[Any], product: ColumnElement[Any]
) -> ColumnElement[bool]:
    """Return the condition that a product is visible, as a whole or through one of its releases."""
    whole = visible_to(visibility, institution, product)
    if not visibility.releases:
        return whole
    of_releases = select(releases.c.product_id).where(
        one_of(releases.c.institution_id, visibility.narrowed),
        one_of(releases.c.id, visibility.releases),
    )
    return or_whole(visibility, institution, or_(whole, product.in_(of_releases)))


_ASSOCIATED = (
    select(
        func.array_agg(
            aggregate_order_by(
                associations.c.customer_institution_id,
                associations.c.customer_institution_id,
            )
        )
    )
    .where(related(associations, products), associations.c.customer_institution_id.is_not(None))
    .scalar_subquery()
)
_HAS_KEYS = exists().where(related(rsa_keys, products), rsa_keys.c.retired_at.is_(None))
_IMAGE_VERSION = (
    select(product_images.c.version).where(related(product_images, products)).scalar_subquery()
)


def _visible(visibility: Visibility) -> ColumnElement[bool]:
    return product_visible_to(visibility, products.c.institution_id, products.c.id)


class _ProductRows(Rows[Product, Visibility]):
    """Reads settings as they are stored, so that an odd one does not hide its product."""

    def item_of(self, stored: Mapping[str, Any]) -> Product:
        return convert({**stored, "settings": from_stored(stored["settings"])}, Product)


PRODUCTS = _ProductRows(
    products,
    Product,
    _visible,
    computed={
        "associated_institution_ids": func.coalesce(_ASSOCIATED, literal([], ARRAY(Id))),
        "has_keys": _HAS_KEYS,
        "image_version": _IMAGE_VERSION,
    },
    sortable={
        "name": func.lower(products.c.name),
        "createdAt": products.c.id,  # UUIDv7: the order of ids is the order of creation
        "updatedAt": products.c.updated_at,
    },
    refusals={
        "products_name_key": errors.product_name_taken,
        "products_institution_id_fkey": lambda: not_found("institution"),
    },
)


def _products(visibility: Visibility) -> Select[Any]:
    statement = PRODUCTS.select(_visible(visibility))
    if not visibility.releases:
        return statement
    count = _license_count(visibility).label("license_count")
    others = (column for column in PRODUCTS.columns if column.name != count.name)
    return statement.with_only_columns(*others, count)


def _license_count(visibility: Visibility) -> ColumnElement[Any]:
    """Return the number of licenses, if the product is visible as a whole."""
    if not visibility.releases:
        return products.c.license_count
    whole = visible_to(visibility.of_whole_products(), products.c.institution_id, products.c.id)
    return case((whole, products.c.license_count))


def _same(institution_id: Any, product_id: Any) -> ColumnElement[bool]:
    return and_(products.c.institution_id == institution_id, products.c.id == product_id)


_CHANGED = [
    item.name
    for item in fields(Product)
    if item.name not in {"institution_id", "id", "license_count"}
]


async def update_product(db: Connection, product: Product) -> None:
    """Store a product, but for its number of licenses, which the database counts.

    Raises:
        Refused: `Conflict` if the name is taken.
    """
    await PRODUCTS.update(db, product, *_CHANGED)


async def delete_product(db: Connection, product: Product) -> None:
    """Delete a product with everything in it.

    Raises:
        Refused: `Conflict` while it has licenses.
    """
    same = _same(product.institution_id, product.id)
    statement = delete(products).where(same, products.c.license_count == 0)
    with refuse_violations({}, errors.product_has_licenses):
        deleted = await db.execute(statement)
    if not deleted.rowcount:
        raise errors.product_has_licenses()


async def list_products(
    db: Connection,
    visibility: Visibility,
    paging: Paging,
    search: str | None,
    mode: ProductMode | None,
) -> Listing[Product]:
    """List the visible products of a mode whose names contain the text; `None` is any."""
    pages, given = _pages(visibility, part_pattern(folded(search)) if search else None, mode)
    listing = await pages.fetch(db, paging, given)
    return listing.with_items(PRODUCTS.items(listing.items))


@kept
def _pages(visibility: Visibility, name_part: str | None, mode: ProductMode | None) -> Pages:
    statement = _products(visibility)
    if mode is not None:
        statement = statement.where(products.c.test.is_(mode is ProductMode.TEST))
    if name_part is not None:
        statement = statement.where(folded_column(products.c.name).like(name_part))
    sortable = {**PRODUCTS.sortable, "licenseCount": _license_count(visibility)}
    return Pages(statement, id_column=products.c.id, sortable=sortable)


def one_product(visibility: Visibility, product_id: UUID) -> Select[Any]:
    """Select a product if it is visible, as a whole or by one of its releases."""
    return _products(visibility).where(products.c.id == product_id)


_one_product = kept(one_product)


async def fetch_product(source: Source, visibility: Visibility, product_id: UUID) -> Product | None:
    """Fetch a product if it is visible, as a whole or by one of its releases."""
    if isinstance(source, LookUps):
        return await source.find(_fetch_products, visibility, product_id)
    return await PRODUCTS.one(source, *_one_product(visibility, product_id))


async def _fetch_products(
    db: Connection, visibility: Visibility, ids: Sequence[UUID]
) -> dict[UUID, Product]:
    statement, given = _each_product(visibility)
    found = await PRODUCTS.all(db, statement, {**given, "ids": ids})
    return {item.id: item for item in found}


@kept
def _each_product(visibility: Visibility) -> Select[Any]:
    return _products(visibility).where(products.c.id == any_(array_parameter("ids", Id)))


async def fetch_visible_ids(
    db: Connection, visibility: Visibility, ids: Collection[UUID]
) -> set[UUID]:
    """Return those of these products that are visible, also by single releases."""
    if not ids:
        return set()
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
    """Lock and fetch a product of any institution, for the console."""
    return await lock_product(db, await visibility_of_any(db, product_id), product_id)


async def visibility_of_any(db: Connection, product_id: UUID) -> Visibility:
    """Return the institution of a product, for the console; none if it does not exist."""
    statement = select(products.c.institution_id).where(products.c.id == product_id)
    return Visibility(tuple((await db.execute(statement)).scalars()))


async def fetch_place(db: Connection, product_id: UUID) -> tuple[UUID, str] | None:
    """Fetch the institution and the name of a product, for a request that names no more."""
    statement = select(products.c.institution_id, products.c.name).where(
        products.c.id == product_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (row.institution_id, row.name)


async def share_product(db: Connection, institution_id: UUID, product_id: UUID) -> None:
    """Lock a product `FOR SHARE` until the transaction ends, so that its keys stay."""
    statement = select(products.c.id).where(_same(institution_id, product_id))
    await db.execute(statement.with_for_update(read=True))


async def product_settings(
    db: Connection, institution_id: UUID, product_id: UUID
) -> ProductSettings:
    """Fetch the settings of a product.

    Raises:
        Refused: `NotFound` if it was deleted.
    """
    statement = select(products.c.settings).where(_same(institution_id, product_id))
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        raise not_found("product")
    return from_stored(row.settings)


_ADD_LICENSES = (
    update(products)
    .where(
        _same(bindparam("of_institution", type_=Id), bindparam("of_product", type_=Id)),
    )
    .values(license_count=added_to(products.c.license_count, bindparam("added", type_=Integer)))
)


def added_licenses(institution_id: UUID, product_id: UUID, by: int) -> Change:
    """Return what adjusts a product's license counter, with what creates or deletes licenses."""
    given = {"of_institution": institution_id, "of_product": product_id, "added": by}
    return _ADD_LICENSES, given


async def add_to_license_count(
    db: Connection, institution_id: UUID, product_id: UUID, by: int
) -> None:
    """Adjust a product's license counter, in the transaction that creates or deletes licenses."""
    await db.execute(*added_licenses(institution_id, product_id, by))


_TESTS = select(products.c.id).where(
    products.c.institution_id == any_(array_parameter("institutions", Id)), products.c.test
)


async def test_products(db: Connection, institution_ids: Sequence[UUID]) -> tuple[UUID, ...]:
    """Return the Test products of these institutions, of which there are few."""
    rows = await db.execute(_TESTS, {"institutions": list(institution_ids)})
    return tuple(rows.scalars())


def stored_total(visibility: Visibility) -> Select[Any]:
    """Select the number of licenses of the visible products, from stored counters."""
    return select(func.coalesce(func.sum(products.c.license_count), 0)).where(_visible(visibility))


_stored_total = kept(stored_total)


async def total_licenses(db: Connection, visibility: Visibility) -> int:
    """Return the number of licenses of the visible products, from stored counters."""
    return int((await db.execute(*_stored_total(visibility))).scalar_one())


async def count_products(db: Connection, visibility: Visibility) -> int:
    """Count the visible products."""
    return int((await db.execute(*_product_count(visibility))).scalar_one())


@kept
def _product_count(visibility: Visibility) -> Select[Any]:
    return select(func.count()).select_from(products).where(_visible(visibility))


_SETTINGS = select(products.c.id, products.c.settings).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def find_settings(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, ProductSettings]:
    """Fetch settings by ID for (institution, product) pairs, in one statement."""
    if not keys:
        return {}
    rows = await db.execute(_SETTINGS, wanted_keys.given(dict.fromkeys(keys)))
    return {row.id: from_stored(row.settings) for row in rows}


_NAMES = select(products.c.id, products.c.name).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def product_names(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, str]:
    """Fetch names by ID for (institution, product) pairs, in one statement."""
    if not keys:
        return {}
    rows = await db.execute(_NAMES, wanted_keys.given(dict.fromkeys(keys)))
    return {row.id: row.name for row in rows}


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
    name = folded(text)
    found = _found_products(visibility, id_in(text), start_pattern(name), part_pattern(name), limit)
    return [FoundProduct(**row._mapping) for row in await db.execute(*found)]


@kept
def _found_products(
    visibility: Visibility, identifier: UUID | None, start: str, part: str, limit: int
) -> Select[Any]:
    name = folded_column(products.c.name)
    named: ColumnElement[bool] = name.like(part)
    return (
        select(products.c.institution_id, products.c.id, products.c.name)
        .where(
            product_visible_to(visibility, products.c.institution_id, products.c.id),
            named if identifier is None else or_(named, products.c.id == identifier),
        )
        .order_by(name.like(start).desc(), name)
        .limit(limit)
    )


async def find_releases(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[FoundRelease]:
    """Find releases by ID, or by how their version begins, newest first.

    The last word of the text, which has one, is the version; the words before it are looked for in
    the name of the product.
    """
    *product, version = text.split()
    parts, identifier = tuple(part_pattern(folded(word)) for word in product), id_in(text)
    found = _found_releases(visibility, identifier, start_pattern(version.lower()), parts, limit)
    return [convert(row._mapping, FoundRelease) for row in await db.execute(*found)]


@kept
def _found_releases(
    visibility: Visibility,
    identifier: UUID | None,
    start: str,
    product_parts: tuple[str, ...],
    limit: int,
) -> Select[Any]:
    begins = func.lower(releases.c.version).like(start)
    matches = releases.c.id == identifier if identifier is not None else begins
    columns = releases.c
    return (
        select(
            columns.institution_id,
            columns.id,
            columns.product_id,
            products.c.name.label("product_name"),
            columns.version,
            columns.channel,
            columns.status,
        )
        .join(products)
        .where(
            visible_to(visibility, columns.institution_id, columns.product_id, columns.id),
            matches,
            *(folded_column(products.c.name).like(part) for part in product_parts),
        )
        .order_by(columns.id.desc())
        .limit(limit)
    )

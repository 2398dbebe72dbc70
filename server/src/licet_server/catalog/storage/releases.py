"""Queries of releases."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from licet_server.catalog import errors
from licet_server.catalog.rules.model import Release, ReleaseName, ReleaseStatus
from licet_server.catalog.rules.versions import PublishedVersion
from licet_server.catalog.storage.arrays import (
    ReleaseKey,
    TenantKey,
    wanted_keys,
    wanted_releases,
)
from licet_server.catalog.tables import products, releases, rsa_keys
from licet_server.kit.database import Connection, Id
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.filters import visible_to
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.rows import refuse_violations
from licet_server.kit.visibility import Visibility

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "version": func.lower(releases.c.version),
    "channel": func.lower(releases.c.channel),
    "status": releases.c.status,
    "createdAt": releases.c.id,
    "publishedAt": releases.c.published_at,
}


_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "releases_version_key": errors.release_taken,
    "releases_institution_id_product_id_fkey": lambda: not_found("product"),
}


def _release(row: Row[Any]) -> Release:
    stored = dict(row._mapping)
    return Release(**{**stored, "status": ReleaseStatus(stored["status"])})


def _same(institution_id: Any, release_id: Any) -> ColumnElement[bool]:
    return and_(releases.c.institution_id == institution_id, releases.c.id == release_id)


def _of_product(institution_id: Any, product_id: Any) -> Select[Any]:
    return select(releases).where(
        releases.c.institution_id == institution_id, releases.c.product_id == product_id
    )


async def insert_release(db: Connection, release: Release) -> None:
    """Raises `Refused` (Conflict) if the channel has this version."""
    with refuse_violations(_REFUSALS):
        await db.execute(insert(releases).values(**asdict(release)))


async def update_release(db: Connection, release: Release) -> None:
    """Raises `Refused` (Conflict) if the channel has this version."""
    same = _same(release.institution_id, release.id)
    with refuse_violations(_REFUSALS):
        await db.execute(update(releases).where(same).values(**asdict(release)))


async def update_token(db: Connection, release: Release) -> None:
    """Store the signed token of a release."""
    same = _same(release.institution_id, release.id)
    await db.execute(update(releases).where(same).values(token=release.token))


async def delete_release(db: Connection, release: Release) -> None:
    """Raises `Refused` (Conflict) while licenses are bound to it."""
    same = _same(release.institution_id, release.id)
    try:
        await db.execute(delete(releases).where(same))
    except IntegrityError:
        raise errors.release_in_use() from None


async def fetch_seen_ids(
    db: Connection, visibility: Visibility, ids: Collection[UUID]
) -> set[UUID]:
    statement = _visible(visibility).where(releases.c.id.in_(ids)).with_only_columns(releases.c.id)
    return set((await db.execute(statement)).scalars())


async def list_releases(
    db: Connection, visibility: Visibility, product_id: UUID, paging: Paging
) -> Listing[Release]:
    listing = await fetch_listing(
        db,
        _visible(visibility).where(releases.c.product_id == product_id),
        paging,
        id_column=releases.c.id,
        sortable=_SORTABLE,
    )
    return listing.of(_release)


def _visible(visibility: Visibility) -> Select[Any]:
    return select(releases).where(
        visible_to(visibility, releases.c.institution_id, releases.c.product_id, releases.c.id)
    )


async def fetch_release(db: Connection, visibility: Visibility, release_id: UUID) -> Release | None:
    row = (await db.execute(_visible(visibility).where(releases.c.id == release_id))).one_or_none()
    return None if row is None else _release(row)


async def lock_release(db: Connection, visibility: Visibility, release_id: UUID) -> Release | None:
    """Fetch a release `FOR NO KEY UPDATE`."""
    statement = (
        _visible(visibility).where(releases.c.id == release_id).with_for_update(key_share=True)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _release(row)


async def lock_own_release(
    db: Connection, institution_id: UUID, release_id: UUID
) -> Release | None:
    """Fetch a release of the institution `FOR NO KEY UPDATE`."""
    statement = (
        select(releases).where(_same(institution_id, release_id)).with_for_update(key_share=True)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _release(row)


async def lock_published(db: Connection, institution_id: UUID, product_id: UUID) -> list[Release]:
    """Fetch the published releases of a product `FOR NO KEY UPDATE`."""
    statement = (
        _of_product(institution_id, product_id)
        .where(releases.c.status == ReleaseStatus.PUBLISHED)
        .order_by(releases.c.id)
        .with_for_update(key_share=True)
    )
    return [_release(row) for row in await db.execute(statement)]


async def fetch_unsigned(db: Connection) -> list[Release]:
    """The published releases without a token, of products with a signing key, in every tenant."""
    has_key = exists().where(
        rsa_keys.c.institution_id == releases.c.institution_id,
        rsa_keys.c.product_id == releases.c.product_id,
        rsa_keys.c.retired_at.is_(None),
    )
    statement = (
        select(releases)
        .where(releases.c.status == ReleaseStatus.PUBLISHED, releases.c.token.is_(None), has_key)
        .order_by(releases.c.institution_id, releases.c.id)
    )
    return [_release(row) for row in await db.execute(statement)]


_OF_THIS_PRODUCT = _of_product(
    bindparam("institution_id", type_=Id), bindparam("product_id", type_=Id)
)
_PUBLISHED = (
    _OF_THIS_PRODUCT.where(releases.c.status == ReleaseStatus.PUBLISHED)
    .order_by(releases.c.published_at.desc(), releases.c.id.desc())
    .limit(bindparam("most", type_=Integer))
)
_ONE_RELEASE = _OF_THIS_PRODUCT.where(releases.c.id == bindparam("release_id", type_=Id))


async def fetch_published(
    db: Connection, institution_id: UUID, product_id: UUID, limit: int
) -> list[Release]:
    """The latest published releases, newest first."""
    given = {"institution_id": institution_id, "product_id": product_id, "most": limit}
    return [_release(row) for row in await db.execute(_PUBLISHED, given)]


async def find_release(
    db: Connection, institution_id: UUID, product_id: UUID, release_id: UUID
) -> Release | None:
    given = {"institution_id": institution_id, "product_id": product_id, "release_id": release_id}
    row = (await db.execute(_ONE_RELEASE, given)).one_or_none()
    return None if row is None else _release(row)


async def newest_published_release(
    db: Connection, institution_id: UUID, product_id: UUID
) -> Release | None:
    return next(iter(await fetch_published(db, institution_id, product_id, 1)), None)


async def fetch_published_versions(
    db: Connection, institution_id: UUID, product_id: UUID, channel: str
) -> list[PublishedVersion]:
    columns = releases.c
    statement = select(columns.id, columns.version, columns.status, columns.published_at).where(
        columns.institution_id == institution_id,
        columns.product_id == product_id,
        columns.published_at.is_not(None),
        func.lower(columns.channel) == channel.lower(),
    )
    return [
        PublishedVersion(row.id, row.version, ReleaseStatus(row.status), row.published_at)
        for row in await db.execute(statement)
    ]


_VERSIONS = select(releases.c.id, releases.c.version).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def fetch_versions(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, str]:
    return {
        row.id: row.version
        for row in await db.execute(_VERSIONS, wanted_keys.given(dict.fromkeys(keys)))
    }


_NAMES = (
    select(products.c.id, releases.c.id, products.c.name, releases.c.version)
    .select_from(wanted_releases.table)
    .join(
        products,
        and_(
            products.c.institution_id == wanted_releases.c.institution_id,
            products.c.id == wanted_releases.c.product_id,
        ),
    )
    .join(releases, _same(wanted_releases.c.institution_id, wanted_releases.c.release_id))
)


async def fetch_release_names(
    db: Connection, keys: Sequence[ReleaseKey]
) -> dict[tuple[UUID, UUID], ReleaseName]:
    rows = await db.execute(_NAMES, wanted_releases.given(dict.fromkeys(keys)))
    return {
        (product_id, release_id): ReleaseName(product_name, version)
        for product_id, release_id, product_name, version in rows
    }

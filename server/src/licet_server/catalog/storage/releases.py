"""Queries of releases."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import chain
from typing import Any
from uuid import UUID

from msgspec import convert
from sqlalchemy import (
    ColumnElement,
    Integer,
    ScalarSelect,
    Select,
    String,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    Coverage,
    Product,
    Release,
    ReleaseFile,
    ReleaseName,
    ReleaseStatus,
)
from licet_server.catalog.rules.releases import Issuable, PublishedVersion
from licet_server.catalog.storage.products import (
    PRODUCTS,
    ReleaseKey,
    TenantKey,
    one_product,
    wanted_keys,
    wanted_releases,
)
from licet_server.catalog.tables import (
    product_images,
    products,
    release_file_sums,
    release_files,
    releases,
    rsa_keys,
)
from licet_server.institutions.reading import limits_within, read_limits
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.dates import EARLIEST, LATEST
from licet_server.kit.errors import not_found
from licet_server.kit.images import Picture
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import visible_to
from licet_server.kit.visibility import Visibility


def _releases_within(visibility: Visibility) -> ColumnElement[bool]:
    return visible_to(visibility, releases.c.institution_id, releases.c.product_id, releases.c.id)


RELEASES = Rows(
    releases,
    Release,
    _releases_within,
    sortable={
        "version": func.lower(releases.c.version),
        "channel": func.lower(releases.c.channel),
        "status": releases.c.status,
        "createdAt": releases.c.id,
        "publishedAt": releases.c.published_at,
    },
    refusals={
        "releases_version_key": errors.release_taken,
        "releases_institution_id_product_id_fkey": lambda: not_found("product"),
    },
    in_use=errors.release_in_use,
)


def _same(institution_id: Any, release_id: Any) -> ColumnElement[bool]:
    return and_(releases.c.institution_id == institution_id, releases.c.id == release_id)


def _of_product(institution_id: Any, product_id: Any) -> Select[Any]:
    return RELEASES.select(
        releases.c.institution_id == institution_id, releases.c.product_id == product_id
    )


async def update_token(db: Connection, release: Release) -> None:
    """Store the signed token of a release."""
    statement = update(releases).where(RELEASES.same(release))
    await db.execute(statement.values(token=release.token))


async def fetch_visible_ids(
    db: Connection, visibility: Visibility, ids: Collection[UUID]
) -> set[UUID]:
    if not ids:
        return set()
    statement = select(releases.c.id).where(_releases_within(visibility), releases.c.id.in_(ids))
    return set((await db.execute(statement)).scalars())


async def list_releases(
    db: Connection, visibility: Visibility, product_id: UUID, paging: Paging
) -> Listing[Release]:
    """List the visible releases of a product."""
    return await RELEASES.page(db, visibility, paging, _listed, product_id)


def _listed(product_id: UUID) -> list[ColumnElement[bool]]:
    return [releases.c.product_id == product_id]


async def lock_published(db: Connection, institution_id: UUID, product_id: UUID) -> list[Release]:
    """Fetch the published releases of a product `FOR NO KEY UPDATE`."""
    statement = (
        _of_product(institution_id, product_id)
        .where(releases.c.status == ReleaseStatus.PUBLISHED)
        .order_by(releases.c.id)
        .with_for_update(key_share=True)
    )
    return await RELEASES.all(db, statement)


async def fetch_unsigned(db: Connection) -> list[Release]:
    """Fetch published releases without a token, of products with a signing key, in every tenant."""
    has_key = exists().where(
        rsa_keys.c.institution_id == releases.c.institution_id,
        rsa_keys.c.product_id == releases.c.product_id,
        rsa_keys.c.retired_at.is_(None),
    )
    statement = RELEASES.select(
        releases.c.status == ReleaseStatus.PUBLISHED, releases.c.token.is_(None), has_key
    ).order_by(releases.c.institution_id, releases.c.id)
    return await RELEASES.all(db, statement)


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
    """Fetch the latest published releases, newest first."""
    given = {"institution_id": institution_id, "product_id": product_id, "most": limit}
    return await RELEASES.all(db, _PUBLISHED, given)


async def find_release(
    db: Connection, institution_id: UUID, product_id: UUID, release_id: UUID
) -> Release | None:
    """Fetch a release in any status, if it belongs to this product."""
    given = {"institution_id": institution_id, "product_id": product_id, "release_id": release_id}
    return await RELEASES.one(db, _ONE_RELEASE, given)


_EVER = select(
    releases.c.product_id,
    releases.c.id,
    releases.c.version,
    releases.c.channel,
    releases.c.status,
    releases.c.published_at,
    releases.c.coverage,
).where(releases.c.published_at.is_not(None))
_EVER_PUBLISHED = _EVER.where(
    releases.c.institution_id == bindparam("institution_id", type_=Id),
    releases.c.product_id == bindparam("product_id", type_=Id),
)
_EVER_PUBLISHED_OF = _EVER.join(
    wanted_keys.table,
    and_(
        releases.c.institution_id == wanted_keys.c.institution_id,
        releases.c.product_id == wanted_keys.c.id,
    ),
)


async def published_versions(
    db: Connection, institution_id: UUID, product_id: UUID
) -> list[PublishedVersion]:
    """Fetch the releases ever published of a product, of all channels."""
    given = {"institution_id": institution_id, "product_id": product_id}
    return [_published(row) for row in await db.execute(_EVER_PUBLISHED, given)]


async def published_versions_of(
    db: Connection, keys: Sequence[TenantKey]
) -> Mapping[UUID, Sequence[PublishedVersion]]:
    """Fetch the releases ever published by product, for (institution, product) pairs."""
    found: defaultdict[UUID, list[PublishedVersion]] = defaultdict(list)
    if keys:
        for row in await db.execute(_EVER_PUBLISHED_OF, wanted_keys.given(dict.fromkeys(keys))):
            found[row.product_id].append(_published(row))
    return found


@kept
def _latest(visibility: Visibility) -> Select[Any]:
    return (
        _EVER_PUBLISHED_OF.ext(distinct_on(releases.c.product_id))
        .where(_releases_within(visibility), releases.c.status == ReleaseStatus.PUBLISHED)
        .order_by(releases.c.product_id, releases.c.published_at.desc(), releases.c.id.desc())
    )


async def latest_published(
    db: Connection, visibility: Visibility, keys: Sequence[TenantKey]
) -> dict[UUID, PublishedVersion]:
    """Fetch the visible release that was published last, by product; those without are omitted."""
    if not keys:
        return {}
    statement, given = _latest(visibility)
    rows = await db.execute(statement, {**given, **wanted_keys.given(dict.fromkeys(keys))})
    return {row.product_id: _published(row) for row in rows}


def _published(row: Any) -> PublishedVersion:
    return PublishedVersion(
        row.id,
        row.version,
        row.channel,
        ReleaseStatus(row.status),
        row.published_at,
        Coverage(row.coverage),
    )


# As the driver reads it, since JSON may hold what is no date of the calendar.
_PUBLISHED_AT = func.greatest(
    func.least(releases.c.published_at, literal(LATEST, Instant)), literal(EARLIEST, Instant)
)
_FIELDS = [item.name for item in fields(PublishedVersion)]
_AS_JSON = [_PUBLISHED_AT if name == "published_at" else releases.c[name] for name in _FIELDS]
_PUBLISHED_OF_PRODUCT = (
    select(func.jsonb_agg(func.jsonb_build_object(*chain(*zip(_FIELDS, _AS_JSON, strict=True)))))
    .where(
        releases.c.institution_id == products.c.institution_id,
        releases.c.product_id == products.c.id,
        releases.c.published_at.is_not(None),
    )
    .correlate(products)
    .scalar_subquery()
)


@kept
def _issuable(visibility: Visibility, product_id: UUID) -> Select[Any]:
    return one_product(visibility, product_id).add_columns(
        _PUBLISHED_OF_PRODUCT.label("published"),
        limits_within(products.c.institution_id).label("limits"),
    )


async def fetch_issuable(
    db: Connection, visibility: Visibility, product_id: UUID
) -> Issuable | None:
    """Fetch a product if it is visible, with all that issuing a license of it asks for."""
    row = (await db.execute(*_issuable(visibility, product_id))).one_or_none()
    if row is None:
        return None
    published = convert(row.published or [], list[PublishedVersion])
    return Issuable(PRODUCTS.item(row), published, read_limits(row.limits))


_VERSIONS = select(releases.c.id, releases.c.version).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


def version_of(
    institution_id: ColumnElement[UUID], release_id: ColumnElement[UUID]
) -> ScalarSelect[str]:
    """Return the version of a release as a column for the statement that finds its license."""
    return (
        select(releases.c.version)
        .where(_same(institution_id, release_id))
        .correlate_except(releases)
        .scalar_subquery()
    )


async def release_versions(db: Connection, keys: Sequence[TenantKey]) -> dict[UUID, str]:
    """Fetch versions by ID for (institution, release) pairs, in one statement."""
    if not keys:
        return {}
    rows = await db.execute(_VERSIONS, wanted_keys.given(dict.fromkeys(keys)))
    return {row.id: row.version for row in rows}


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


async def release_names(
    db: Connection, keys: Sequence[ReleaseKey]
) -> dict[tuple[UUID, UUID], ReleaseName]:
    """Fetch names of releases and their products by product and release, in one statement."""
    if not keys:
        return {}
    rows = await db.execute(_NAMES, wanted_releases.given(dict.fromkeys(keys)))
    return {
        (product_id, release_id): ReleaseName(product_name, version)
        for product_id, release_id, product_name, version in rows
    }


def _files_within(release: Release) -> ColumnElement[bool]:
    return and_(
        release_files.c.institution_id == release.institution_id,
        release_files.c.release_id == release.id,
    )


FILES = Rows(
    release_files,
    ReleaseFile,
    _files_within,
    sortable={
        "name": func.lower(release_files.c.name),
        "platform": func.lower(release_files.c.platform),
        "sizeBytes": release_files.c.size_bytes,
        "createdAt": release_files.c.id,
    },
    refusals={
        "release_files_name_key": errors.file_taken,
        "release_files_institution_id_release_id_fkey": lambda: not_found("release"),
    },
)
"""Within a release."""


_FITS = or_(
    release_files.c.platform.is_(None),
    func.lower(release_files.c.platform) == bindparam("platform", type_=String),
)
_OF_FILE = and_(
    releases.c.institution_id == release_files.c.institution_id,
    releases.c.id == release_files.c.release_id,
)


def _same_file(institution_id: Any, file_id: Any) -> ColumnElement[bool]:
    return and_(release_files.c.institution_id == institution_id, release_files.c.id == file_id)


async def insert_sums(db: Connection, file: ReleaseFile, sums: bytes) -> None:
    """Store the checksums of a file unless they are there, or the file is gone."""
    exists = select(release_files.c.institution_id, release_files.c.id, literal(sums)).where(
        FILES.same(file)
    )
    columns = ["institution_id", "file_id", "sums"]
    statement = upsert(release_file_sums).from_select(columns, exists)
    await db.execute(statement.on_conflict_do_nothing())


async def fetch_sums(db: Connection, file: ReleaseFile) -> bytes | None:
    """Fetch the checksums of a file; `None` if it has none yet."""
    statement = select(release_file_sums.c.sums).where(
        release_file_sums.c.institution_id == file.institution_id,
        release_file_sums.c.file_id == file.id,
    )
    return (await db.execute(statement)).scalar()


async def fetch_all_files(db: Connection, after: TenantKey | None, limit: int) -> list[ReleaseFile]:
    """Fetch the files of all institutions after one, by institution and ID."""
    key = tuple_(release_files.c.institution_id, release_files.c.id)
    statement = FILES.select().order_by(key).limit(limit)
    if after is not None:
        statement = statement.where(key > after)
    return await FILES.all(db, statement)


_HAS_FILE = (
    select(
        release_files.c.release_id,
        func.bool_or(_FITS).label("has_file"),
    )
    .select_from(release_files)
    .join(releases, _OF_FILE)
    .where(
        releases.c.institution_id == bindparam("institution_id", type_=Id),
        releases.c.product_id == bindparam("product_id", type_=Id),
        releases.c.status == ReleaseStatus.PUBLISHED,
    )
    .group_by(release_files.c.release_id)
)


async def releases_with_files(
    db: Connection, institution_id: UUID, product_id: UUID, platform: str
) -> dict[UUID, bool]:
    """Fetch which published releases have files, and whether one of them is for a platform."""
    given = {
        "institution_id": institution_id,
        "product_id": product_id,
        "platform": platform.lower(),
    }
    return {row.release_id: row.has_file for row in await db.execute(_HAS_FILE, given)}


async def files_for(db: Connection, release: Release, platform: str | None) -> list[ReleaseFile]:
    """Fetch the files of a release; with a platform, those for it and those for all platforms."""
    statement = FILES.select(_files_within(release)).order_by(release_files.c.id)
    if platform is None:
        return await FILES.all(db, statement)
    return await FILES.all(db, statement.where(_FITS), {"platform": platform.lower()})


async def fetch_files_of(
    db: Connection, institution_id: UUID, release_ids: Sequence[UUID]
) -> defaultdict[UUID, list[ReleaseFile]]:
    """Fetch the files of these releases by release, in the order of their upload."""
    statement = FILES.select(
        release_files.c.institution_id == institution_id,
        release_files.c.release_id.in_(release_ids),
    ).order_by(release_files.c.id)
    found: defaultdict[UUID, list[ReleaseFile]] = defaultdict(list)
    for file in await FILES.all(db, statement):
        found[file.release_id].append(file)
    return found


async def fetch_published_file(
    db: Connection, institution_id: UUID, file_id: UUID
) -> ReleaseFile | None:
    """Fetch a file while its release is published."""
    statement = (
        FILES.select(_same_file(institution_id, file_id))
        .join(releases, _OF_FILE)
        .where(releases.c.status == ReleaseStatus.PUBLISHED)
    )
    return await FILES.one(db, statement)


_KNOWN = select(release_files.c.institution_id, release_files.c.id).join(
    wanted_keys.table, _same_file(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def known_files(db: Connection, keys: Collection[TenantKey]) -> set[TenantKey]:
    """Return the keys that have a row."""
    rows = await db.execute(_KNOWN, wanted_keys.given(list(keys)))
    return {(row.institution_id, row.id) for row in rows}


async def replace_image(db: Connection, product: Product, image: Picture) -> None:
    """Store the image of a product instead of the one that it has, if any."""
    values = asdict(image)
    statement = upsert(product_images).values(
        institution_id=product.institution_id, product_id=product.id, **values
    )
    key = [product_images.c.institution_id, product_images.c.product_id]
    await db.execute(statement.on_conflict_do_update(index_elements=key, set_=values))


async def delete_image(db: Connection, product: Product) -> None:
    """Delete the image of a product, if it has one."""
    await db.execute(
        delete(product_images).where(
            product_images.c.institution_id == product.institution_id,
            product_images.c.product_id == product.id,
        )
    )


async def fetch_image(db: Connection, product_id: UUID) -> Picture | None:
    """Fetch the image of a product of any institution."""
    columns = product_images.c
    statement = select(columns.media_type, columns.content, columns.version).where(
        columns.product_id == product_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Picture(**row._mapping)

"""Queries of release files and product images."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    Product,
    ProductImage,
    Release,
    ReleaseFile,
    ReleaseStatus,
)
from licet_server.catalog.storage.arrays import TenantKey, wanted_keys
from licet_server.catalog.tables import (
    product_images,
    release_file_sums,
    release_files,
    releases,
)
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.rows import refuse_violations

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "name": func.lower(release_files.c.name),
    "platform": func.lower(release_files.c.platform),
    "sizeBytes": release_files.c.size_bytes,
    "createdAt": release_files.c.id,
}

_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "release_files_name_key": errors.file_taken,
    "release_files_institution_id_release_id_fkey": lambda: not_found("release"),
}


def _file(row: Row[Any]) -> ReleaseFile:
    return ReleaseFile(**row._mapping)


def _same(institution_id: Any, file_id: Any) -> ColumnElement[bool]:
    return and_(release_files.c.institution_id == institution_id, release_files.c.id == file_id)


def _of_release(release: Release) -> ColumnElement[bool]:
    return and_(
        release_files.c.institution_id == release.institution_id,
        release_files.c.release_id == release.id,
    )


async def insert_file(db: Connection, file: ReleaseFile) -> None:
    """Raises `Refused`: `Conflict` if the name is taken, `NotFound` if the release is gone."""
    with refuse_violations(_REFUSALS):
        await db.execute(insert(release_files).values(**asdict(file)))


async def insert_sums(db: Connection, file: ReleaseFile, sums: bytes) -> None:
    """Store the checksums of a file unless they are there, or the file is gone."""
    exists = select(release_files.c.institution_id, release_files.c.id, literal(sums)).where(
        _same(file.institution_id, file.id)
    )
    columns = ["institution_id", "file_id", "sums"]
    statement = upsert(release_file_sums).from_select(columns, exists)
    await db.execute(statement.on_conflict_do_nothing())


async def fetch_sums(db: Connection, file: ReleaseFile) -> bytes | None:
    statement = select(release_file_sums.c.sums).where(
        release_file_sums.c.institution_id == file.institution_id,
        release_file_sums.c.file_id == file.id,
    )
    return (await db.execute(statement)).scalar()


async def fetch_all_files(db: Connection, after: TenantKey | None, limit: int) -> list[ReleaseFile]:
    """The files of all institutions after one, by institution and ID."""
    place = tuple_(release_files.c.institution_id, release_files.c.id)
    statement = select(release_files).order_by(place).limit(limit)
    if after is not None:
        statement = statement.where(place > after)
    return [_file(row) for row in await db.execute(statement)]


async def delete_file(db: Connection, file: ReleaseFile) -> bool:
    """Return whether the file still existed."""
    statement = delete(release_files).where(_same(file.institution_id, file.id))
    return (await db.execute(statement)).rowcount > 0


async def list_files(db: Connection, release: Release, paging: Paging) -> Listing[ReleaseFile]:
    listing = await fetch_listing(
        db,
        select(release_files).where(_of_release(release)),
        paging,
        id_column=release_files.c.id,
        sortable=_SORTABLE,
    )
    return listing.of(_file)


async def fetch_file(db: Connection, release: Release, file_id: UUID) -> ReleaseFile | None:
    statement = select(release_files).where(_of_release(release), release_files.c.id == file_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _file(row)


async def fetch_files_for(
    db: Connection, release: Release, platform: str | None
) -> list[ReleaseFile]:
    """All files; with a platform, those for it and those for all platforms."""
    statement = select(release_files).where(_of_release(release)).order_by(release_files.c.id)
    if platform is not None:
        fits = func.lower(release_files.c.platform) == platform.lower()
        statement = statement.where(or_(release_files.c.platform.is_(None), fits))
    return [_file(row) for row in await db.execute(statement)]


async def fetch_files_of(
    db: Connection, institution_id: UUID, release_ids: Sequence[UUID]
) -> list[ReleaseFile]:
    """The files of these releases, in the order of their upload."""
    statement = (
        select(release_files)
        .where(
            release_files.c.institution_id == institution_id,
            release_files.c.release_id.in_(release_ids),
        )
        .order_by(release_files.c.id)
    )
    return [_file(row) for row in await db.execute(statement)]


async def fetch_published_file(
    db: Connection, institution_id: UUID, file_id: UUID
) -> ReleaseFile | None:
    """The file, while its release is published."""
    statement = (
        select(release_files)
        .join(
            releases,
            and_(
                releases.c.institution_id == release_files.c.institution_id,
                releases.c.id == release_files.c.release_id,
            ),
        )
        .where(_same(institution_id, file_id), releases.c.status == ReleaseStatus.PUBLISHED)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _file(row)


_KNOWN = select(release_files.c.institution_id, release_files.c.id).join(
    wanted_keys.table, _same(wanted_keys.c.institution_id, wanted_keys.c.id)
)


async def known_files(db: Connection, keys: Collection[TenantKey]) -> set[TenantKey]:
    """The keys that have a row."""
    rows = await db.execute(_KNOWN, wanted_keys.given(list(keys)))
    return {(row.institution_id, row.id) for row in rows}


async def replace_image(db: Connection, product: Product, image: ProductImage) -> None:
    values = asdict(image)
    statement = upsert(product_images).values(
        institution_id=product.institution_id, product_id=product.id, **values
    )
    key = [product_images.c.institution_id, product_images.c.product_id]
    await db.execute(statement.on_conflict_do_update(index_elements=key, set_=values))


async def delete_image(db: Connection, product: Product) -> None:
    await db.execute(
        delete(product_images).where(
            product_images.c.institution_id == product.institution_id,
            product_images.c.product_id == product.id,
        )
    )


async def fetch_image(db: Connection, product_id: UUID) -> ProductImage | None:
    columns = product_images.c
    statement = select(columns.media_type, columns.content, columns.version).where(
        columns.product_id == product_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else ProductImage(**row._mapping)

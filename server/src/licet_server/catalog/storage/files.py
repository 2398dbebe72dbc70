"""Queries of release files and product images."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    and_,
    delete,
    func,
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
from licet_server.kit.errors import not_found
from licet_server.kit.rows import Rows


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


async def files_for(db: Connection, release: Release, platform: str | None) -> list[ReleaseFile]:
    """Fetch the files of a release; with a platform, those for it and those for all platforms."""
    statement = FILES.select(_files_within(release)).order_by(release_files.c.id)
    if platform is not None:
        fits = func.lower(release_files.c.platform) == platform.lower()
        statement = statement.where(or_(release_files.c.platform.is_(None), fits))
    return await FILES.all(db, statement)


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
        .join(
            releases,
            and_(
                releases.c.institution_id == release_files.c.institution_id,
                releases.c.id == release_files.c.release_id,
            ),
        )
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


async def replace_image(db: Connection, product: Product, image: ProductImage) -> None:
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


async def fetch_image(db: Connection, product_id: UUID) -> ProductImage | None:
    """Fetch the image of a product of any institution."""
    columns = product_images.c
    statement = select(columns.media_type, columns.content, columns.version).where(
        columns.product_id == product_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else ProductImage(**row._mapping)

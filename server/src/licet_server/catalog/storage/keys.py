"""Queries of product keys and RSA keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    exists,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from licet_server.catalog.rules.model import ProductCaller, RsaKey
from licet_server.catalog.storage.arrays import wanted_hashes
from licet_server.catalog.tables import product_keys, rsa_keys

KeyOf = tuple[UUID, bytes]
"""An institution, and the hash of a product key."""


@dataclass(frozen=True, slots=True)
class SealedCredential:
    """A live product key as stored."""

    id: UUID
    secret: bytes
    created_at: datetime
    expires_at: datetime | None


def _live(now: datetime) -> ColumnElement[bool]:
    return and_(
        product_keys.c.revoked_at.is_(None),
        or_(product_keys.c.expires_at.is_(None), product_keys.c.expires_at > now),
    )


def _keys_of(institution_id: UUID, product_id: UUID) -> ColumnElement[bool]:
    return and_(
        product_keys.c.institution_id == institution_id, product_keys.c.product_id == product_id
    )


async def insert_product_key(
    db: AsyncConnection,
    institution_id: UUID,
    product_id: UUID,
    *,
    key_id: UUID,
    key_hash: bytes,
    secret: bytes,
    now: datetime,
) -> None:
    await db.execute(
        insert(product_keys).values(
            institution_id=institution_id,
            id=key_id,
            product_id=product_id,
            key_hash=key_hash,
            secret=secret,
            created_at=now,
        )
    )


async def fetch_live_product_keys(
    db: AsyncConnection, institution_id: UUID, product_id: UUID, now: datetime
) -> list[SealedCredential]:
    """Newest first."""
    statement = (
        select(
            product_keys.c.id,
            product_keys.c.secret,
            product_keys.c.created_at,
            product_keys.c.expires_at,
        )
        .where(_keys_of(institution_id, product_id), _live(now))
        .order_by(product_keys.c.id.desc())
    )
    rows = await db.execute(statement)
    return [SealedCredential(row.id, row.secret, row.created_at, row.expires_at) for row in rows]


async def limit_product_keys(
    db: AsyncConnection,
    institution_id: UUID,
    product_id: UUID,
    *,
    now: datetime,
    expires_at: datetime,
) -> None:
    """Let every live key end at `expires_at`, but none later than it would anyway."""
    await db.execute(
        update(product_keys)
        .where(
            _keys_of(institution_id, product_id),
            _live(now),
            or_(product_keys.c.expires_at.is_(None), product_keys.c.expires_at > expires_at),
        )
        .values(expires_at=expires_at)
    )


async def revoke_product_key(
    db: AsyncConnection, institution_id: UUID, product_id: UUID, key_id: UUID, now: datetime
) -> None:
    await db.execute(
        update(product_keys)
        .where(_keys_of(institution_id, product_id), product_keys.c.id == key_id)
        .values(revoked_at=now)
    )


async def find_callers(
    db: AsyncConnection, keys: Sequence[KeyOf], now: datetime
) -> dict[KeyOf, ProductCaller]:
    """Whom the live keys among these stand for.

    One index look-up per key (LATERAL), so that the plan does not depend on how many there are.
    """
    wanted = wanted_hashes(keys)
    found = (
        select(product_keys.c.id, product_keys.c.product_id)
        .where(
            product_keys.c.institution_id == wanted.c.institution_id,
            product_keys.c.key_hash == wanted.c.key_hash,
            _live(now),
        )
        .limit(1)
        .lateral("found")
    )
    statement = select(
        wanted.c.institution_id, wanted.c.key_hash, found.c.product_id, found.c.id
    ).select_from(wanted.join(found, true()))
    rows = await db.execute(statement)
    return {
        (row.institution_id, row.key_hash): ProductCaller(
            row.institution_id, row.product_id, row.id
        )
        for row in rows
    }


_PUBLIC_COLUMNS = [column for column in rsa_keys.c if column.name != "private_key"]


def _current(institution_id: UUID, product_id: UUID) -> ColumnElement[bool]:
    return and_(
        rsa_keys.c.institution_id == institution_id,
        rsa_keys.c.product_id == product_id,
        rsa_keys.c.retired_at.is_(None),
    )


def _rsa_key(row: Row[Any]) -> RsaKey:
    return RsaKey(
        institution_id=row.institution_id,
        id=row.id,
        product_id=row.product_id,
        kid=row.kid,
        key_size=row.key_size,
        public_key=row.public_key,
        generation=row.generation,
        created_at=row.created_at,
    )


async def fetch_rsa_key(
    db: AsyncConnection, institution_id: UUID, product_id: UUID
) -> RsaKey | None:
    """The live key, without its private side."""
    statement = select(*_PUBLIC_COLUMNS).where(_current(institution_id, product_id))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _rsa_key(row)


async def has_rsa_key(db: AsyncConnection, institution_id: UUID, product_id: UUID) -> bool:
    statement = select(exists().where(_current(institution_id, product_id)))
    return bool((await db.execute(statement)).scalar())


async def fetch_kid(
    db: AsyncConnection, institution_id: UUID, product_id: UUID
) -> tuple[UUID, str] | None:
    """Id and kid of the live key."""
    statement = select(rsa_keys.c.id, rsa_keys.c.kid).where(_current(institution_id, product_id))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (row.id, row.kid)


async def fetch_private_key(
    db: AsyncConnection, institution_id: UUID, rsa_key_id: UUID
) -> bytes | None:
    """The sealed private side."""
    statement = select(rsa_keys.c.private_key).where(
        rsa_keys.c.institution_id == institution_id, rsa_keys.c.id == rsa_key_id
    )
    sealed: bytes | None = (await db.execute(statement)).scalar_one_or_none()
    return sealed


async def retire_rsa_key(
    db: AsyncConnection, institution_id: UUID, product_id: UUID, now: datetime
) -> None:
    await db.execute(
        update(rsa_keys).where(_current(institution_id, product_id)).values(retired_at=now)
    )


async def insert_rsa_key(db: AsyncConnection, key: RsaKey, private_key: bytes) -> None:
    await db.execute(
        insert(rsa_keys).values(
            institution_id=key.institution_id,
            id=key.id,
            product_id=key.product_id,
            kid=key.kid,
            key_size=key.key_size,
            private_key=private_key,
            public_key=key.public_key,
            generation=key.generation,
            created_at=key.created_at,
        )
    )

"""Queries of product keys and signing keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_unless_there

from licet_server.catalog.rules.model import (
    ProductCaller,
    PublicRsaKey,
    RsaKey,
    from_stored,
)
from licet_server.catalog.storage.clocks import clock_of
from licet_server.catalog.storage.products import KeyHash, TenantKey, wanted_hashes
from licet_server.catalog.tables import (
    compact_keys,
    next_rsa_keys,
    product_keys,
    products,
    rsa_keys,
)
from licet_server.kit.database import Connection, Instant
from licet_server.kit.limits import runtime_limit
from licet_server.kit.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedProductKey:
    """A product key as stored; it lives until it is revoked, if it does not expire before."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    secret: bytes
    created_at: datetime
    expires_at: datetime | None = None


def _live(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return and_(
        product_keys.c.revoked_at.is_(None),
        or_(product_keys.c.expires_at.is_(None), product_keys.c.expires_at > now),
    )


def _of(table: Table, product: TenantKey) -> ColumnElement[bool]:
    institution_id, product_id = product
    return and_(table.c.institution_id == institution_id, table.c.product_id == product_id)


PRODUCT_KEYS = Rows(product_keys, SealedProductKey, partial(_of, product_keys))


async def fetch_live_product_keys(
    db: Connection, product: TenantKey, now: datetime
) -> list[SealedProductKey]:
    """Fetch the live keys of a product, newest first."""
    statement = PRODUCT_KEYS.select(_of(product_keys, product), _live(now))
    return await PRODUCT_KEYS.all(db, statement.order_by(product_keys.c.id.desc()))


async def limit_product_keys(
    db: Connection, product: TenantKey, *, now: datetime, expires_at: datetime
) -> None:
    """Make every live key expire at `expires_at`, unless it expires sooner."""
    await db.execute(
        update(product_keys)
        .where(
            _of(product_keys, product),
            _live(now),
            or_(product_keys.c.expires_at.is_(None), product_keys.c.expires_at > expires_at),
        )
        .values(expires_at=expires_at)
    )


async def revoke_product_key(db: Connection, key: SealedProductKey, now: datetime) -> None:
    await db.execute(update(product_keys).where(PRODUCT_KEYS.same(key)).values(revoked_at=now))


_FOUND = (
    select(
        product_keys.c.id,
        product_keys.c.product_id,
        products.c.settings,
        products.c.test,
        runtime_limit(wanted_hashes.c.institution_id).label("rate_limit"),
        clock_of(products.c.test, products.c.institution_id, products.c.id).label("clock"),
    )
    .join(products)
    .where(
        product_keys.c.institution_id == wanted_hashes.c.institution_id,
        product_keys.c.key_hash == wanted_hashes.c.key_hash,
        _live(bindparam("now", type_=Instant)),
    )
    .limit(1)
    .lateral("found")
)
_CALLERS = select(
    wanted_hashes.c.institution_id,
    wanted_hashes.c.key_hash,
    _FOUND.c.product_id,
    _FOUND.c.id,
    _FOUND.c.settings,
    _FOUND.c.test,
    _FOUND.c.rate_limit,
    _FOUND.c.clock,
).select_from(wanted_hashes.table.join(_FOUND, true()))


async def find_callers(
    db: Connection, keys: Sequence[KeyHash], now: datetime
) -> dict[KeyHash, ProductCaller]:
    """Fetch the callers of the live keys among these (institution, hash) pairs, in one statement.

    One index lookup per key (LATERAL), so the plan does not depend on their number.
    """
    rows = await db.execute(_CALLERS, {**wanted_hashes.given(dict.fromkeys(keys)), "now": now})
    return {
        (row.institution_id, row.key_hash): ProductCaller(
            institution_id=row.institution_id,
            product_id=row.product_id,
            key_id=row.id,
            settings=from_stored(row.settings),
            rate_limit=row.rate_limit,
            clock=row.clock,
            test=row.test,
        )
        for row in rows
    }


def _current(product: TenantKey) -> ColumnElement[bool]:
    return and_(_of(rsa_keys, product), rsa_keys.c.retired_at.is_(None))


RSA_KEYS = Rows(rsa_keys, RsaKey, _current)
"""The live key of a product, without its private part."""

NEXT_RSA_KEYS = Rows(next_rsa_keys, PublicRsaKey, partial(_of, next_rsa_keys))
"""The prepared key of a product, without its private part."""


async def fetch_rsa_key(db: Connection, product: TenantKey) -> RsaKey | None:
    """Fetch the live key of a product."""
    return await RSA_KEYS.one(db, RSA_KEYS.select(_current(product)))


async def fetch_next_rsa_key(db: Connection, product: TenantKey) -> PublicRsaKey | None:
    """Fetch the prepared key of a product."""
    return await NEXT_RSA_KEYS.one(db, NEXT_RSA_KEYS.select(_of(next_rsa_keys, product)))


async def fetch_next_private_key(db: Connection, key: PublicRsaKey) -> bytes | None:
    """Fetch the private part of a prepared key as it is sealed."""
    statement = select(next_rsa_keys.c.private_key).where(NEXT_RSA_KEYS.same(key))
    sealed: bytes | None = (await db.execute(statement)).scalar_one_or_none()
    return sealed


async def fetch_kid(db: Connection, product: TenantKey) -> tuple[UUID, str] | None:
    """Fetch ID and kid of the live key of a product."""
    statement = select(rsa_keys.c.id, rsa_keys.c.kid).where(_current(product))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (row.id, row.kid)


async def is_known_kid(db: Connection, product: TenantKey, kid: str) -> bool:
    """Check whether the product has or had this key."""
    same = and_(_of(rsa_keys, product), rsa_keys.c.kid == kid)
    return bool((await db.execute(select(exists().where(same)))).scalar())


async def fetch_private_key(db: Connection, institution_id: UUID, rsa_key_id: UUID) -> bytes | None:
    """Fetch a private key as it is sealed."""
    statement = select(rsa_keys.c.private_key).where(
        rsa_keys.c.institution_id == institution_id, rsa_keys.c.id == rsa_key_id
    )
    sealed: bytes | None = (await db.execute(statement)).scalar_one_or_none()
    return sealed


async def retire_rsa_key(db: Connection, product: TenantKey, now: datetime) -> None:
    """Retire the live key of a product."""
    await db.execute(update(rsa_keys).where(_current(product)).values(retired_at=now))


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCompactKey:
    """The second key of a product as stored."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    private_key: bytes
    public_key: bytes
    created_at: datetime


COMPACT_KEYS = Rows(compact_keys, SealedCompactKey, partial(_of, compact_keys))


async def fetch_compact_key(db: Connection, product: TenantKey) -> SealedCompactKey | None:
    """Fetch the second key of a product."""
    return await COMPACT_KEYS.one(db, COMPACT_KEYS.select(_of(compact_keys, product)))


async def insert_compact_key(db: Connection, key: SealedCompactKey) -> None:
    """Insert the second key of a product, unless it has got one meanwhile."""
    statement = insert_unless_there(compact_keys).values(COMPACT_KEYS.values(key))
    await db.execute(
        statement.on_conflict_do_nothing(index_elements=["institution_id", "product_id"])
    )


async def delete_compact_key(db: Connection, product: TenantKey) -> None:
    """Delete the second key of a product, if it has one."""
    await db.execute(delete(compact_keys).where(_of(compact_keys, product)))

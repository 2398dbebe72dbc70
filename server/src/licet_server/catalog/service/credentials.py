"""Product keys: created, rotated with a grace period, revoked, looked up at run time."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.catalog import errors
from licet_server.catalog.rules.model import (
    LIVE_PRODUCT_KEYS_MAX,
    RANDOM_BYTES,
    UNREADABLE,
    LiveProductKey,
    Product,
    key_hash,
    product_key,
)
from licet_server.catalog.service.lookup import fetch_product, lock_product
from licet_server.catalog.service.recording import record_about_keys
from licet_server.catalog.storage import keys as storage
from licet_server.catalog.storage.keys import PRODUCT_KEYS, SealedProductKey
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.keyring import Keyring
from licet_server.kit.unit_of_work import UnitOfWork


async def add_product_key(work: UnitOfWork, product: Product) -> UUID:
    """Create a product key; return its id."""
    random = secrets.token_bytes(RANDOM_BYTES)
    key = product_key(product.institution_id, random, product.key_prefix)
    key_id = work.new_id()
    sealed = SealedProductKey(
        institution_id=product.institution_id,
        id=key_id,
        product_id=product.id,
        secret=work.keyring.seal(key.encode(), _seal_context(key_id)),
        created_at=work.now,
    )
    await PRODUCT_KEYS.insert(work.db, sealed, key_hash=key_hash(key))
    return key_id


async def fetch_credentials(
    db: Connection, keyring: Keyring, operator: Operator, product_id: UUID, now: datetime
) -> list[LiveProductKey]:
    """Fetch the live keys in plain text, newest first."""
    product = await fetch_product(db, operator, product_id)
    return await _open_live_keys(db, keyring, product, now)


async def rotate_product_key(
    work: UnitOfWork, operator: Operator, product_id: UUID, grace_seconds: int | None
) -> list[LiveProductKey]:
    """Add a key; the others expire after `grace_seconds`, or live until revoked if it is `None`.

    A key that expires sooner keeps its expiry.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if there are too many live keys.
    """
    product = await lock_product(work.db, operator, product_id)
    if grace_seconds is not None:
        ends = work.now + timedelta(seconds=grace_seconds)
        await storage.limit_product_keys(work.db, product.scope, now=work.now, expires_at=ends)
    live = await storage.fetch_live_product_keys(work.db, product.scope, work.now)
    if len(live) >= LIVE_PRODUCT_KEYS_MAX:
        raise errors.too_many_product_keys(LIVE_PRODUCT_KEYS_MAX)
    key_id = await add_product_key(work, product)
    data = {"keyId": key_id, "graceSeconds": grace_seconds}
    await record_about_keys(work, EventKind.PRODUCT_KEY_ROTATED, product, data)
    keys = await _open_live_keys(work.db, work.keyring, product, work.now)
    return sorted(keys, key=lambda item: item.id != key_id)


async def delete_product_key(
    work: UnitOfWork, operator: Operator, product_id: UUID, key_id: UUID
) -> None:
    """Revoke a live key; it stops working when the transaction commits.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for the last live key.
    """
    product = await lock_product(work.db, operator, product_id)
    live = await storage.fetch_live_product_keys(work.db, product.scope, work.now)
    key = next((item for item in live if item.id == key_id), None)
    if key is None:
        raise not_found("product key")
    if len(live) == 1:
        raise errors.last_product_key()
    await storage.revoke_product_key(work.db, key, work.now)
    await record_about_keys(work, EventKind.PRODUCT_KEY_REVOKED, product, {"keyId": key_id})


async def _open_live_keys(
    db: Connection, keyring: Keyring, product: Product, now: datetime
) -> list[LiveProductKey]:
    sealed = await storage.fetch_live_product_keys(db, product.scope, now)
    return [
        LiveProductKey(
            id=item.id,
            api_key=keyring.reveal(item.secret, _seal_context(item.id)) or UNREADABLE,
            created_at=item.created_at,
            expires_at=item.expires_at,
        )
        for item in sealed
    ]


def _seal_context(key_id: UUID) -> str:
    return f"product_keys.secret:{key_id}"

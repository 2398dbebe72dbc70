"""Queries of device tokens."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace
from sqlalchemy import and_, delete, insert, select

from licet_server.kit.database import Bytes, Connection, Id
from licet_server.kit.statements import Arrays
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.tokens import DeviceTokenOf
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.tables import device_tokens as tokens
from licet_server.licenses.tables import licenses

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, token_hash=Bytes)
_BY_HASHES = (
    select(*LICENSE_COLUMNS, tokens.c.token_hash)
    .select_from(_WANTED.table)
    .join(
        tokens,
        and_(
            tokens.c.institution_id == _WANTED.c.institution_id,
            tokens.c.token_hash == _WANTED.c.token_hash,
        ),
    )
    .join(
        licenses,
        and_(
            licenses.c.institution_id == tokens.c.institution_id,
            licenses.c.id == tokens.c.license_id,
            licenses.c.product_id == _WANTED.c.product_id,
        ),
    )
)


async def fetch_by_tokens(
    db: Connection, wanted: Sequence[DeviceTokenOf]
) -> dict[DeviceTokenOf, License]:
    """Fetch the licenses of these tokens, each with its token in place of its key.

    So nothing that is made for the device contains the key.
    """
    by_hash = {(item.institution_id, item.product_id, item.digest): item for item in wanted}
    found = {}
    for row in await db.execute(_BY_HASHES, _WANTED.given(list(by_hash))):
        *columns, token_hash = row
        license_ = license_of(columns)
        item = by_hash[license_.institution_id, license_.product_id, token_hash]
        found[item] = replace(license_, license_key=item.token, normal_key=item.token)
    return found


async def insert_token(
    db: Connection,
    token: DeviceTokenOf,
    *,
    license_id: UUID,
    activation_id: UUID,
    now: datetime,
    kept: int,
) -> None:
    """Store a token of a device, and delete its oldest ones beyond the number kept."""
    same = (
        tokens.c.institution_id == token.institution_id,
        tokens.c.activation_id == activation_id,
    )
    surplus = (
        select(tokens.c.token_hash)
        .where(*same)
        .order_by(tokens.c.created_at.desc(), tokens.c.token_hash)
        .offset(kept - 1)
    )
    await db.execute(delete(tokens).where(*same, tokens.c.token_hash.in_(surplus)))
    await db.execute(
        insert(tokens).values(
            institution_id=token.institution_id,
            token_hash=token.digest,
            license_id=license_id,
            activation_id=activation_id,
            created_at=now,
        )
    )


async def delete_tokens(db: Connection, institution_id: UUID, activation_id: UUID) -> None:
    await db.execute(
        delete(tokens).where(
            tokens.c.institution_id == institution_id, tokens.c.activation_id == activation_id
        )
    )

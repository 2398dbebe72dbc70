"""Queries of the institutions that are associated with products, or invited to be."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, insert, or_, select, update

from licet_server.catalog import errors
from licet_server.catalog.rules.associations import Association
from licet_server.catalog.rules.model import AccessType
from licet_server.catalog.storage.arrays import TenantKey, wanted_keys
from licet_server.catalog.tables import associations, products
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.rows import refuse_violations

_SORTABLE: Mapping[str, ColumnElement[Any]] = {
    "createdAt": associations.c.id,  # UUIDv7: the order of ids is the order of creation
    "email": associations.c.email,
    "expiresAt": associations.c.expires_at,
}

_REFUSALS: Mapping[str, Callable[[], Refused]] = {
    "associations_open_email_key": errors.already_invited,
    "associations_open_institution_key": errors.already_invited,
    "associations_customer_key": errors.already_associated,
    "associations_customer_institution_id_fkey": lambda: not_found("institution"),
}

AssociationKey = tuple[UUID, UUID, UUID]
"""The vendor's institution, the product and the institution of the customer."""

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, customer_institution_id=Id)
_ACCEPTED = (
    select(*_WANTED.c)
    .select_from(
        _WANTED.table.join(
            associations,
            and_(
                associations.c.institution_id == _WANTED.c.institution_id,
                associations.c.product_id == _WANTED.c.product_id,
                associations.c.customer_institution_id == _WANTED.c.customer_institution_id,
            ),
        ).join(
            products,
            and_(
                products.c.institution_id == associations.c.institution_id,
                products.c.id == associations.c.product_id,
            ),
        )
    )
    .with_for_update(read=True, key_share=True, of=[products, associations])
)
_TIED = (
    select(products.c.id)
    .join(
        wanted_keys.table,
        and_(
            products.c.institution_id == wanted_keys.c.institution_id,
            products.c.id == wanted_keys.c.id,
        ),
    )
    .where(products.c.access_type == AccessType.ASSOCIATED)
)

_OPEN = associations.c.accepted_at.is_(None)


def _association(row: Row[Any]) -> Association:
    return Association(
        institution_id=row.institution_id,
        id=row.id,
        product_id=row.product_id,
        email=row.email,
        invited_institution_id=row.invited_institution_id,
        customer_institution_id=row.customer_institution_id,
        created_at=row.created_at,
        expires_at=row.expires_at,
        accepted_at=row.accepted_at,
        sealed_link=row.link_token,
    )


def _of_product(institution_id: UUID, product_id: UUID) -> ColumnElement[bool]:
    return and_(
        associations.c.institution_id == institution_id, associations.c.product_id == product_id
    )


def _same(item: Association) -> ColumnElement[bool]:
    return and_(associations.c.institution_id == item.institution_id, associations.c.id == item.id)


async def insert_association(db: Connection, item: Association, token_hash: bytes) -> None:
    """Raises `Refused` (Conflict) if the same address or institution has an open invitation."""
    with refuse_violations(_REFUSALS):
        await db.execute(
            insert(associations).values(
                institution_id=item.institution_id,
                id=item.id,
                product_id=item.product_id,
                email=item.email,
                invited_institution_id=item.invited_institution_id,
                token_hash=token_hash,
                link_token=item.sealed_link,
                created_at=item.created_at,
                expires_at=item.expires_at,
            )
        )


async def renew_association(db: Connection, item: Association, token_hash: bytes) -> None:
    """Replace the term and the token of an open invitation."""
    await db.execute(
        update(associations)
        .where(_same(item))
        .values(expires_at=item.expires_at, token_hash=token_hash, link_token=item.sealed_link)
    )


async def accept_association(db: Connection, item: Association) -> None:
    """Store the acceptance; other open invitations of the institution that accepted are deleted.

    Raises:
        Refused: `Conflict` if the institution is associated already, `NotFound` if it was just
            deleted.
    """
    others = delete(associations).where(
        _of_product(item.institution_id, item.product_id),
        associations.c.invited_institution_id == item.customer_institution_id,
        associations.c.id != item.id,
        _OPEN,
    )
    with refuse_violations(_REFUSALS):
        await db.execute(
            update(associations)
            .where(_same(item))
            .values(
                customer_institution_id=item.customer_institution_id,
                accepted_at=item.accepted_at,
                token_hash=None,
                link_token=None,
            )
        )
    await db.execute(others)


async def delete_association(db: Connection, item: Association) -> None:
    await db.execute(delete(associations).where(_same(item)))


async def list_associations(
    db: Connection, institution_id: UUID, product_id: UUID, paging: Paging
) -> Listing[Association]:
    statement = select(associations).where(_of_product(institution_id, product_id))
    listing = await fetch_listing(
        db, statement, paging, id_column=associations.c.id, sortable=_SORTABLE
    )
    return listing.of(_association)


async def lock_association(
    db: Connection, institution_id: UUID, product_id: UUID, association_id: UUID
) -> Association | None:
    """Fetch an association `FOR UPDATE`: no license is issued under it meanwhile."""
    statement = (
        select(associations)
        .where(_of_product(institution_id, product_id), associations.c.id == association_id)
        .with_for_update()
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _association(row)


async def lock_accepted(
    db: Connection, institution_id: UUID, product_id: UUID, customer_institution_id: UUID
) -> bool:
    """Whether the institution is associated; if so, it stays so until the transaction ends.

    The product is locked first, as by the deletion of a product, which would be a deadlock
    otherwise.
    """
    statement = (
        select(associations.c.id)
        .join(
            products,
            and_(
                products.c.institution_id == associations.c.institution_id,
                products.c.id == associations.c.product_id,
            ),
        )
        .where(
            _of_product(institution_id, product_id),
            associations.c.customer_institution_id == customer_institution_id,
        )
        .with_for_update(read=True, key_share=True, of=[products, associations])
    )
    return (await db.execute(statement)).first() is not None


async def lock_accepted_of(db: Connection, keys: Collection[AssociationKey]) -> set[AssociationKey]:
    """Those of these institutions that are associated, locked as by `lock_accepted`."""
    rows = await db.execute(_ACCEPTED, _WANTED.given(list(keys)))
    return {tuple(row) for row in rows}


async def fetch_tied_products(db: Connection, keys: Collection[TenantKey]) -> set[UUID]:
    """Those of these products that are for associated institutions only."""
    return set((await db.execute(_TIED, wanted_keys.given(list(keys)))).scalars())


async def fetch_open(
    db: Connection,
    institution_id: UUID,
    product_id: UUID,
    *,
    email: str | None,
    invited_institution_id: UUID | None,
) -> Association | None:
    """The invitation of an address or institution that was not accepted; it may have expired."""
    who = associations.c.email == email
    if invited_institution_id is not None:
        who = associations.c.invited_institution_id == invited_institution_id
    statement = select(associations).where(_of_product(institution_id, product_id), who, _OPEN)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _association(row)


async def is_associated(
    db: Connection, institution_id: UUID, product_id: UUID, customer_institution_id: UUID
) -> bool:
    statement = select(associations.c.id).where(
        _of_product(institution_id, product_id),
        associations.c.customer_institution_id == customer_institution_id,
    )
    return (await db.execute(statement)).first() is not None


async def count_associations(db: Connection, institution_id: UUID, product_id: UUID) -> int:
    statement = select(func.count()).where(_of_product(institution_id, product_id))
    return int((await db.execute(statement)).scalar_one())


async def fetch_by_token(
    db: Connection, institution_id: UUID, token_hash: bytes, now: datetime
) -> Association | None:
    """The pending invitation with this token."""
    statement = select(associations).where(
        associations.c.institution_id == institution_id,
        associations.c.token_hash == token_hash,
        _OPEN,
        associations.c.expires_at > now,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _association(row)


def _received(institutions: Collection[UUID], now: datetime) -> Select[Any]:
    pending = and_(
        associations.c.invited_institution_id.in_(institutions),
        _OPEN,
        associations.c.expires_at > now,
    )
    accepted = associations.c.customer_institution_id.in_(institutions)
    return select(associations).where(or_(accepted, pending))


async def list_received(
    db: Connection, institutions: Collection[UUID], paging: Paging, now: datetime
) -> Listing[Association]:
    """Those that these institutions accepted, or can accept, of all vendors."""
    sortable = {"createdAt": associations.c.id, "expiresAt": associations.c.expires_at}
    listing = await fetch_listing(
        db,
        _received(institutions, now),
        paging,
        id_column=associations.c.id,
        sortable=sortable,
    )
    return listing.of(_association)

"""Queries of the institutions that are associated with products, or invited to be."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update

from licet_server.catalog import errors
from licet_server.catalog.rules.model import AccessType, Association
from licet_server.catalog.storage.products import TenantKey, wanted_keys
from licet_server.catalog.tables import associations, products
from licet_server.kit.database import Connection, Id
from licet_server.kit.errors import not_found
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays
from licet_server.kit.text import ERASED

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
        ).join(products)
    )
    .with_for_update(read=True, key_share=True, of=[products, associations])
)
_FOR_ASSOCIATED = (
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


def _of_product(scope: TenantKey) -> ColumnElement[bool]:
    institution_id, product_id = scope
    return and_(
        associations.c.institution_id == institution_id, associations.c.product_id == product_id
    )


ASSOCIATIONS = Rows(
    associations,
    Association,
    _of_product,
    computed={"sealed_link": associations.c.link_token},
    sortable={
        "createdAt": associations.c.id,  # UUIDv7: the order of ids is the order of creation
        "email": associations.c.email,
        "expiresAt": associations.c.expires_at,
    },
    refusals={
        "associations_open_email_key": errors.already_invited,
        "associations_open_institution_key": errors.already_invited,
        "associations_customer_key": errors.already_associated,
        "associations_customer_institution_id_fkey": lambda: not_found("institution"),
    },
)
"""Within a product."""


async def accept_association(db: Connection, item: Association) -> None:
    """Store the acceptance; other open invitations of the institution that accepted are deleted.

    Raises:
        Refused: `Conflict` if the institution is associated already, `NotFound` if it was just
            deleted.
    """
    others = delete(associations).where(
        _of_product((item.institution_id, item.product_id)),
        associations.c.invited_institution_id == item.customer_institution_id,
        associations.c.id != item.id,
        _OPEN,
    )
    await ASSOCIATIONS.save(db, item, token_hash=None, link_token=None)
    await db.execute(others)


async def lock_associated(
    db: Connection, institution_id: UUID, product_id: UUID, customer_institution_id: UUID
) -> bool:
    """Check whether an institution is associated; if so, it stays so until the transaction ends.

    The product is locked first, as by the deletion of a product, which would be a deadlock
    otherwise.
    """
    statement = (
        select(associations.c.id)
        .join(products)
        .where(
            _of_product((institution_id, product_id)),
            associations.c.customer_institution_id == customer_institution_id,
        )
        .with_for_update(read=True, key_share=True, of=[products, associations])
    )
    return (await db.execute(statement)).first() is not None


async def lock_associated_of(
    db: Connection, keys: Collection[AssociationKey]
) -> set[AssociationKey]:
    """Return those of these institutions that are associated, locked as by `lock_associated`."""
    if not keys:
        return set()
    rows = await db.execute(_ACCEPTED, _WANTED.given(list(keys)))
    return {tuple(row) for row in rows}


async def associated_products(db: Connection, keys: Collection[TenantKey]) -> set[UUID]:
    """Return those of these products that are for associated institutions only."""
    if not keys:
        return set()
    return set((await db.execute(_FOR_ASSOCIATED, wanted_keys.given(list(keys)))).scalars())


async def fetch_open(
    db: Connection, scope: TenantKey, *, email: str | None, invited_institution_id: UUID | None
) -> Association | None:
    """Fetch the invitation of an address or institution that was not accepted, even if expired."""
    who = associations.c.email == email
    if invited_institution_id is not None:
        who = associations.c.invited_institution_id == invited_institution_id
    return await ASSOCIATIONS.one(db, ASSOCIATIONS.select(_of_product(scope), who, _OPEN))


async def is_associated(db: Connection, scope: TenantKey, customer_institution_id: UUID) -> bool:
    """Check whether an institution has accepted an invitation to a product."""
    statement = select(associations.c.id).where(
        _of_product(scope), associations.c.customer_institution_id == customer_institution_id
    )
    return (await db.execute(statement)).first() is not None


async def count_associations(db: Connection, scope: TenantKey) -> int:
    """Count the associations of a product and its invitations."""
    statement = select(func.count()).where(_of_product(scope))
    return int((await db.execute(statement)).scalar_one())


async def fetch_by_token(
    db: Connection, institution_id: UUID, token_hash: bytes, now: datetime
) -> Association | None:
    """Fetch the pending invitation with this token."""
    statement = ASSOCIATIONS.select(
        associations.c.institution_id == institution_id,
        associations.c.token_hash == token_hash,
        _OPEN,
        associations.c.expires_at > now,
    )
    return await ASSOCIATIONS.one(db, statement)


async def list_received(
    db: Connection, institutions: Collection[UUID], paging: Paging, now: datetime
) -> Listing[Association]:
    """List those that these institutions accepted, or can accept, of all vendors."""
    pending = and_(
        associations.c.invited_institution_id.in_(institutions),
        _OPEN,
        associations.c.expires_at > now,
    )
    accepted = associations.c.customer_institution_id.in_(institutions)
    listing = await fetch_listing(
        db,
        ASSOCIATIONS.select(or_(accepted, pending)),
        paging,
        id_column=associations.c.id,
        sortable={"createdAt": associations.c.id, "expiresAt": associations.c.expires_at},
    )
    return listing.with_items(ASSOCIATIONS.items(listing.items))


async def is_invited(db: Connection, institution_id: UUID, emails: Collection[str]) -> bool:
    """Check whether an invitation to one of these addresses is open."""
    statement = select(
        exists().where(
            associations.c.institution_id == institution_id,
            func.lower(associations.c.email).in_(emails),
            associations.c.accepted_at.is_(None),
        )
    )
    return bool((await db.execute(statement)).scalar())


async def fetch_invited_elsewhere(
    db: Connection, institution_id: UUID, emails: Collection[str]
) -> set[str]:
    """Return those of these addresses, in lower case, that another institution has invited."""
    statement = select(associations.c.email).where(
        associations.c.institution_id != institution_id,
        associations.c.email.in_(emails),
        associations.c.accepted_at.is_(None),
    )
    return set((await db.execute(statement)).scalars())


async def erase_invitations(db: Connection, institution_id: UUID, emails: Collection[str]) -> int:
    """Replace these addresses in the accepted invitations; returns in how many."""
    statement = (
        update(associations)
        .where(
            associations.c.institution_id == institution_id,
            func.lower(associations.c.email).in_(emails),
        )
        .values(email=ERASED)
    )
    return int((await db.execute(statement)).rowcount)

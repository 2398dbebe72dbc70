"""Queries on invitations."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    Table,
    and_,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.exc import IntegrityError

from licet_server.identity.rules.memberships import Role
from licet_server.institutions import errors
from licet_server.institutions.rules.invitations import Invitation
from licet_server.institutions.rules.members import Assignments
from licet_server.institutions.tables import invitations, invited_products, invited_releases
from licet_server.kit.database import Connection, violated_constraint
from licet_server.kit.paging import Listing, Paging, fetch_listing

_SORTABLE = {
    "email": invitations.c.email,
    "createdAt": invitations.c.id,  # UUIDv7: the order of ids is the order of creation
    "expiresAt": invitations.c.expires_at,
}
_OPEN = and_(invitations.c.accepted_at.is_(None), invitations.c.revoked_at.is_(None))
_NO_TOKENS = {"mailed_hash": None, "link_hash": None, "link_token": None}


def _invited(table: Table, column: Column[Any]) -> ScalarSelect[Any]:
    return (
        select(func.array_agg(aggregate_order_by(column, column)))
        .where(
            table.c.institution_id == invitations.c.institution_id,
            table.c.invitation_id == invitations.c.id,
        )
        .correlate(invitations)
        .scalar_subquery()
    )


_PRODUCTS = _invited(invited_products, invited_products.c.product_id).label("product_ids")
_RELEASES = _invited(invited_releases, invited_releases.c.release_id).label("release_ids")


def _invitations(institution_id: UUID) -> Select[Any]:
    return select(invitations, _PRODUCTS, _RELEASES).where(
        invitations.c.institution_id == institution_id
    )


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(
        institution_id=row.institution_id,
        id=row.id,
        email=row.email,
        role=Role(row.role),
        assigned=Assignments(tuple(row.product_ids or ()), tuple(row.release_ids or ())),
        created_at=row.created_at,
        expires_at=row.expires_at,
        accepted_at=row.accepted_at,
        revoked_at=row.revoked_at,
        sealed_link=row.link_token,
    )


def _same(invitation: Invitation) -> ColumnElement[bool]:
    return and_(
        invitations.c.institution_id == invitation.institution_id,
        invitations.c.id == invitation.id,
    )


async def insert_invitation(
    db: Connection, invitation: Invitation, *, mailed_hash: bytes, link_hash: bytes
) -> None:
    """Raises `Refused` (Conflict) if the address has an open one, or a product was just deleted."""
    try:
        await db.execute(
            insert(invitations).values(
                institution_id=invitation.institution_id,
                id=invitation.id,
                email=invitation.email,
                role=invitation.role,
                mailed_hash=mailed_hash,
                link_hash=link_hash,
                link_token=invitation.sealed_link,
                created_at=invitation.created_at,
                expires_at=invitation.expires_at,
            )
        )
        await _insert_assignments(db, invitation)
    except IntegrityError as error:
        if violated_constraint(error) == "invitations_open_key":
            raise errors.already_invited() from None
        raise errors.just_deleted() from None


async def _insert_assignments(db: Connection, invitation: Invitation) -> None:
    for table, column, ids in (
        (invited_products, invited_products.c.product_id, invitation.assigned.products),
        (invited_releases, invited_releases.c.release_id, invitation.assigned.releases),
    ):
        rows = [
            {
                "institution_id": invitation.institution_id,
                "invitation_id": invitation.id,
                column.name: item,
            }
            for item in ids
        ]
        if rows:
            await db.execute(insert(table), rows)


async def list_invitations(
    db: Connection, institution_id: UUID, paging: Paging
) -> Listing[Invitation]:
    listing = await fetch_listing(
        db,
        _invitations(institution_id),
        paging,
        id_column=invitations.c.id,
        sortable=_SORTABLE,
    )
    return listing.of(_invitation)


async def fetch_invitation(
    db: Connection, institution_id: UUID, invitation_id: UUID
) -> Invitation | None:
    statement = _invitations(institution_id).where(invitations.c.id == invitation_id)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _invitation(row)


async def fetch_open(db: Connection, institution_id: UUID, email: str) -> Invitation | None:
    """The invitation of an address that is neither accepted nor revoked; it may have expired."""
    statement = _invitations(institution_id).where(invitations.c.email == email, _OPEN)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _invitation(row)


async def fetch_by_token(
    db: Connection, institution_id: UUID, token_hash: bytes, now: datetime
) -> tuple[Invitation, bool] | None:
    """The pending invitation with this token, and whether the token was e-mailed."""
    statement = _invitations(institution_id).where(
        or_(invitations.c.mailed_hash == token_hash, invitations.c.link_hash == token_hash),
        _OPEN,
        invitations.c.expires_at > now,
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else (_invitation(row), row.mailed_hash == token_hash)


async def renew_invitation(
    db: Connection, invitation: Invitation, *, mailed_hash: bytes, link_hash: bytes
) -> None:
    """Replace the term and the tokens."""
    await db.execute(
        update(invitations)
        .where(_same(invitation))
        .values(
            expires_at=invitation.expires_at,
            mailed_hash=mailed_hash,
            link_hash=link_hash,
            link_token=invitation.sealed_link,
        )
    )


async def close_invitation(db: Connection, invitation: Invitation) -> None:
    """Store that an invitation was accepted or revoked, and delete its tokens."""
    await db.execute(
        update(invitations)
        .where(_same(invitation))
        .values(accepted_at=invitation.accepted_at, revoked_at=invitation.revoked_at, **_NO_TOKENS)
    )


async def delete_links(db: Connection, institution_id: UUID, roles: Collection[Role]) -> None:
    """Delete the links of invitations to these roles; e-mailed tokens stay valid."""
    await db.execute(
        update(invitations)
        .where(invitations.c.institution_id == institution_id, invitations.c.role.in_(roles), _OPEN)
        .values(link_hash=None, link_token=None)
    )

"""Queries of invitations."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, and_, insert, or_, select, update

from licet_server.identity.rules.memberships import Role
from licet_server.institutions import errors
from licet_server.institutions.rules.members import Invitation
from licet_server.institutions.storage.operators import ids_of
from licet_server.institutions.tables import invitations, invited_products, invited_releases
from licet_server.kit.database import Connection
from licet_server.kit.rows import Rows, refuse_violations

_OPEN = and_(invitations.c.accepted_at.is_(None), invitations.c.revoked_at.is_(None))
_NO_TOKENS = {"mailed_hash": None, "link_hash": None, "link_token": None}


def _invited(column: Column[Any]) -> ColumnElement[Any]:
    table = column.table
    return ids_of(
        column,
        invitations,
        table.c.institution_id == invitations.c.institution_id,
        table.c.invitation_id == invitations.c.id,
    )


INVITATIONS = Rows[Invitation, UUID](
    invitations,
    Invitation,
    lambda institution_id: invitations.c.institution_id == institution_id,
    computed={
        "product_ids": _invited(invited_products.c.product_id),
        "release_ids": _invited(invited_releases.c.release_id),
    },
    sortable={
        "email": invitations.c.email,
        "createdAt": invitations.c.id,  # UUIDv7: the order of IDs is the order of creation
        "expiresAt": invitations.c.expires_at,
    },
    refusals={"invitations_open_key": errors.already_invited},
)


async def insert_invitation(
    db: Connection, invitation: Invitation, *, mailed_hash: bytes, link_hash: bytes
) -> None:
    """Insert an invitation with what it assigns.

    Raises:
        Refused: `Conflict` if the address has an open one, or a product was just deleted.
    """
    await INVITATIONS.insert(db, invitation, mailed_hash=mailed_hash, link_hash=link_hash)
    with refuse_violations({}, errors.just_deleted):
        await _insert_assignments(db, invitation)


async def _insert_assignments(db: Connection, invitation: Invitation) -> None:
    for table, column, ids in (
        (invited_products, invited_products.c.product_id, invitation.product_ids),
        (invited_releases, invited_releases.c.release_id, invitation.release_ids),
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


async def fetch_open(db: Connection, institution_id: UUID, email: str) -> Invitation | None:
    """Fetch the invitation of an address that is neither accepted nor revoked.

    It may have expired.
    """
    of_email = and_(invitations.c.institution_id == institution_id, invitations.c.email == email)
    return await INVITATIONS.one(db, INVITATIONS.select(of_email, _OPEN))


async def fetch_by_token(
    db: Connection, institution_id: UUID, token_hash: bytes, now: datetime
) -> tuple[Invitation, bool] | None:
    """Fetch the pending invitation with this token, and whether the token was e-mailed."""
    statement = select(*INVITATIONS.columns, invitations.c.mailed_hash).where(
        invitations.c.institution_id == institution_id,
        or_(invitations.c.mailed_hash == token_hash, invitations.c.link_hash == token_hash),
        _OPEN,
        invitations.c.expires_at > now,
    )
    row: Any = (await db.execute(statement)).one_or_none()
    return None if row is None else (INVITATIONS.item(row), row.mailed_hash == token_hash)


async def renew_invitation(
    db: Connection, invitation: Invitation, *, mailed_hash: bytes, link_hash: bytes
) -> None:
    """Replace the term and the tokens."""
    await INVITATIONS.save(db, invitation, mailed_hash=mailed_hash, link_hash=link_hash)


async def close_invitation(db: Connection, invitation: Invitation) -> None:
    """Store that an invitation was accepted or revoked, and delete its tokens."""
    await INVITATIONS.save(db, invitation, **_NO_TOKENS)


async def delete_links(db: Connection, institution_id: UUID, roles: Collection[Role]) -> None:
    """Delete the links of invitations to these roles; e-mailed tokens stay valid."""
    await db.execute(
        update(invitations)
        .where(invitations.c.institution_id == institution_id, invitations.c.role.in_(roles), _OPEN)
        .values(link_hash=None, link_token=None)
    )

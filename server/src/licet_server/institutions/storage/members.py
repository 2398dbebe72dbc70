"""Queries of memberships, of assignments to Members, and of invitations."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from licet_server.identity.rules.memberships import Membership, Role, SignInRules
from licet_server.identity.tables import users
from licet_server.institutions import errors
from licet_server.institutions.rules.members import Assignments, Invitation, Member
from licet_server.institutions.storage.operators import ASSIGNED, ids_of
from licet_server.institutions.tables import (
    assigned_products,
    assigned_releases,
    institutions,
    invitations,
    invited_products,
    invited_releases,
    memberships,
)
from licet_server.kit.database import Connection
from licet_server.kit.folded_columns import folded_column
from licet_server.kit.folding import folded
from licet_server.kit.kept import kept
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.routing import hold_rows, is_distributed, naming
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.kit.text import start_pattern

_HAS_SECOND_FACTOR = or_(users.c.totp_confirmed_at.is_not(None), users.c.has_passkey)

MEMBERS = Rows[Member, UUID](
    memberships,
    Member,
    lambda institution_id: memberships.c.institution_id == institution_id,
    computed={
        "email": users.c.email,
        "full_name": users.c.full_name,
        "totp_enabled": users.c.totp_confirmed_at.is_not(None),
        "has_second_factor": _HAS_SECOND_FACTOR,
        "joined_at": memberships.c.created_at,
        **ASSIGNED,
    },
)
_SORTABLE = {
    "fullName": func.lower(users.c.full_name),
    "email": func.lower(users.c.email),
    "joinedAt": memberships.c.created_at,
}


def _members(db: Connection, institution_id: UUID) -> Select[Any]:
    statement = (
        select(users.c.id, *MEMBERS.columns)
        .join(memberships, memberships.c.user_id == users.c.id)
        .where(memberships.c.institution_id == institution_id)
    )
    return naming(statement, institution_id) if is_distributed(db) else statement


async def list_members(
    db: Connection,
    institution_id: UUID,
    paging: Paging,
    *,
    search: str | None,
    role: Role | None,
    has_second_factor: bool | None,
) -> Listing[Member]:
    """List the members of an institution; keyset pages are in the order of account creation."""
    statement = _members(db, institution_id)
    if search:
        statement = statement.where(
            or_(
                folded_column(users.c.full_name).like(start_pattern(folded(search))),
                func.lower(users.c.email).like(start_pattern(search.lower())),
            )
        )
    if role is not None:
        statement = statement.where(memberships.c.role == role)
    if has_second_factor is not None:
        statement = statement.where(_HAS_SECOND_FACTOR.is_(has_second_factor))
    listing = await fetch_listing(db, statement, paging, id_column=users.c.id, sortable=_SORTABLE)
    return listing.with_items(MEMBERS.items(listing.items))


async def fetch_member(db: Connection, institution_id: UUID, user_id: UUID) -> Member | None:
    statement = _members(db, institution_id).where(memberships.c.user_id == user_id)
    return await MEMBERS.one(db, statement)


async def fetch_role(db: Connection, institution_id: UUID, user_id: UUID) -> Role | None:
    statement = select(memberships.c.role).where(
        memberships.c.institution_id == institution_id, memberships.c.user_id == user_id
    )
    role = (await db.execute(statement)).scalar_one_or_none()
    return None if role is None else Role(role)


async def lock_membership(db: Connection, institution_id: UUID, user_id: UUID) -> bool:
    """Fetch a membership `FOR KEY SHARE`, so that it cannot end before the transaction.

    Returns whether there is one.
    """
    statement = select(memberships.c.role).where(
        memberships.c.institution_id == institution_id, memberships.c.user_id == user_id
    )
    if is_distributed(db):  # a membership ends with one of these held
        await hold_rows(db, [institution_id, user_id])
    else:
        statement = statement.with_for_update(read=True, key_share=True)
    return (await db.execute(statement)).first() is not None


async def is_member(db: Connection, institution_id: UUID, email: str) -> bool:
    """Check whether a member of the institution has this email address."""
    statement = select(
        exists().where(
            memberships.c.institution_id == institution_id,
            memberships.c.user_id == users.c.id,
            func.lower(users.c.email) == email.lower(),
        )
    )
    return bool((await db.execute(statement)).scalar())


async def has_other_owner(db: Connection, institution_id: UUID, user_id: UUID) -> bool:
    """Check whether another user is an Owner of the institution, which must be locked.

    Those whose accounts are disabled do not count: they cannot act as one.
    """
    statement = select(
        exists().where(
            memberships.c.institution_id == institution_id,
            memberships.c.role == Role.OWNER,
            memberships.c.user_id != user_id,
            users.c.id == memberships.c.user_id,
            users.c.disabled_at.is_(None),
        )
    )
    return bool((await db.execute(statement)).scalar())


async def save_role(db: Connection, member: Member) -> None:
    """Store the role of a member."""
    await MEMBERS.update(db, member, "role")


async def delete_membership(db: Connection, member: Member) -> None:
    """Delete a membership with its assignments."""
    await MEMBERS.delete(db, member)


async def save_assignments(db: Connection, member: Member, *, before: Assignments) -> None:
    """Store the differences only, so that a concurrent deletion of a product does not wait.

    Raises:
        Refused: `Conflict` if a product or release was just deleted.
    """
    institution_id, user_id = member.institution_id, member.user_id
    for table, column, had, has in (
        (assigned_products, assigned_products.c.product_id, before.product_ids, member.product_ids),
        (assigned_releases, assigned_releases.c.release_id, before.release_ids, member.release_ids),
    ):
        await _remove(db, member, column, set(had) - set(has))
        rows = [
            {"institution_id": institution_id, "user_id": user_id, column.name: item}
            for item in sorted(set(has) - set(had))
        ]
        if rows:
            with refuse_violations({}, errors.just_deleted):
                await db.execute(insert(table), rows)


async def _remove(
    db: Connection, member: Member, column: Column[Any], ids: Collection[UUID]
) -> None:
    if ids:
        table = column.table
        await db.execute(
            delete(table).where(
                table.c.institution_id == member.institution_id,
                table.c.user_id == member.user_id,
                column.in_(ids),
            )
        )


@kept
def _memberships(user_ids: Collection[UUID]) -> Select[Any]:
    return (
        select(
            memberships.c.user_id,
            memberships.c.institution_id,
            institutions.c.name,
            memberships.c.role,
            institutions.c.sso_enforced,
            institutions.c.second_factor_required,
        )
        .join(institutions, institutions.c.id == memberships.c.institution_id)
        .where(memberships.c.user_id.in_(user_ids))
        .order_by(memberships.c.created_at, memberships.c.institution_id)
    )


async def fetch_memberships(
    db: Connection, user_ids: Collection[UUID]
) -> dict[UUID, list[Membership]]:
    """List the memberships of each of these users, oldest first."""
    found: dict[UUID, list[Membership]] = {user_id: [] for user_id in user_ids}
    for row in await db.execute(*_memberships(user_ids)):
        membership = Membership(
            institution_id=row.institution_id,
            institution_name=row.name,
            role=Role(row.role),
            rules=SignInRules(row.sso_enforced, row.second_factor_required),
        )
        found[row.user_id].append(membership)
    return found


async def insert_membership(
    db: Connection, *, institution_id: UUID, user_id: UUID, role: Role, now: datetime
) -> None:
    await db.execute(
        insert(memberships).values(
            institution_id=institution_id, user_id=user_id, role=role, created_at=now
        )
    )


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


def _as_open(is_open: bool | None) -> list[ColumnElement[bool]]:
    return [] if is_open is None else [_OPEN if is_open else not_(_OPEN)]


async def list_invitations(
    db: Connection, institution_id: UUID, paging: Paging, *, is_open: bool | None
) -> Listing[Invitation]:
    """List the invitations of an institution.

    Open ones are neither accepted nor revoked, and may have expired.
    """
    return await INVITATIONS.page(db, institution_id, paging, _as_open, is_open)


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
    """Fetch the pending invitation with this token, and whether the token was emailed."""
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
    """Delete the links of invitations to these roles; emailed tokens stay valid."""
    await db.execute(
        update(invitations)
        .where(invitations.c.institution_id == institution_id, invitations.c.role.in_(roles), _OPEN)
        .values(link_hash=None, link_token=None)
    )

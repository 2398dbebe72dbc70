"""Members of an institution: listing, changing, removing.

Every change locks the institution, so that each sees the result of the one before: however many
changes are concurrent, the last Owner stays.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.hooks import acting_as
from licet_server.institutions import errors
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.members import (
    NOTHING,
    Assignments,
    Member,
    assignment_breaches,
    require_may_give,
    roles_out_of_reach,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.api_keys import revoke_keys_of
from licet_server.institutions.storage import institutions as institution_storage
from licet_server.institutions.storage import members as storage
from licet_server.institutions.storage.institutions import INSTITUTIONS
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_fields, not_found
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility


class AssignableCatalog(Protocol):
    """The catalog that is assigned to Members; the catalog implements it, and `app.py` wires it."""

    async def visible_products(
        self, db: Connection, visibility: Visibility, product_ids: Collection[UUID]
    ) -> set[UUID]: ...

    async def visible_releases(
        self, db: Connection, visibility: Visibility, release_ids: Collection[UUID]
    ) -> set[UUID]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberEdit:
    """A change of a member; `None` leaves a field unchanged."""

    role: Role | None = None
    product_ids: Sequence[UUID] | None = None
    release_ids: Sequence[UUID] | None = None


async def list_members(
    db: Connection,
    operator: Operator,
    catalog: AssignableCatalog,
    *,
    institution_id: UUID,
    paging: Paging,
    search: str | None,
    role: Role | None,
    has_second_factor: bool | None,
) -> Listing[Member]:
    """List the members of the institution, with the assignments that the operator sees."""
    operator.authorized(institution_id)
    listing = await storage.list_members(
        db,
        institution_id,
        paging,
        search=search,
        role=role,
        has_second_factor=has_second_factor,
    )
    visibility = operator.visibility.within(institution_id)
    if visibility.institutions:
        return listing
    products = {item for member in listing.items for item in member.product_ids}
    releases = {item for member in listing.items for item in member.release_ids}
    visible_products = await catalog.visible_products(db, visibility, products)
    visible_releases = await catalog.visible_releases(db, visibility, releases)

    def with_visible(member: Member) -> Member:
        products = tuple(item for item in member.product_ids if item in visible_products)
        releases = tuple(item for item in member.release_ids if item in visible_releases)
        return replace(member, product_ids=products, release_ids=releases)

    return listing.of(with_visible)


async def is_member(db: Connection, institution_id: UUID, user_id: UUID) -> bool:
    """Check whether a user is a member of an institution."""
    return await storage.fetch_role(db, institution_id, user_id) is not None


async def change_member(
    work: UnitOfWork,
    operator: Operator,
    catalog: AssignableCatalog,
    *,
    institution_id: UUID,
    user_id: UUID,
    edit: MemberEdit,
) -> Member:
    """Give a member another role or other assignments; only the role Member has any.

    Raises:
        Refused: `NotFound`, `Forbidden` if the operator may not give both roles,
            `InvalidRequest` naming every bad ID, `StepUpRequired` for a new Owner, `Conflict` for
            the last one.
    """
    giver = await lock_members(work, operator, institution_id)
    current = await storage.fetch_member(work.db, institution_id, user_id)
    if current is None:
        raise not_found("member")
    role = edit.role or current.role
    require_may_give(giver, current.role, role)
    had = current if role is Role.MEMBER else NOTHING
    assigned = await check_assignments(
        work.db,
        catalog,
        institution_id=institution_id,
        role=role,
        product_ids=had.product_ids if edit.product_ids is None else edit.product_ids,
        release_ids=had.release_ids if edit.release_ids is None else edit.release_ids,
    )
    changed = replace(
        current, role=role, product_ids=assigned.product_ids, release_ids=assigned.release_ids
    )
    if changed == current:
        return current
    if role is not current.role:
        if role is Role.OWNER:
            operator.require_proof(work.now)
        await give_up_role(work, current, role)
        await storage.save_role(work.db, changed)
    await storage.save_assignments(work.db, changed, before=current)
    changes = differences(current.facts(), changed.facts())
    await record_member(work, EventKind.MEMBER_UPDATED, changed, changes)
    return changed


async def remove_member(
    work: UnitOfWork, operator: Operator, institution_id: UUID, user_id: UUID
) -> None:
    """Remove a member and revoke their API keys; members may remove themselves.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for the last Owner.
    """
    role = await lock_members(work, operator, institution_id)
    is_leaving = user_id == operator.user_id
    if not is_leaving and not role.covers(Role.ADMIN):
        raise errors.forbidden(Role.ADMIN)
    if is_leaving:
        operator.require_user("leave an institution")
    current = await storage.fetch_member(work.db, institution_id, user_id)
    if current is None:
        raise not_found("member")
    if not is_leaving:
        require_may_give(role, current.role)
    await give_up_role(work, current, None)
    await storage.delete_membership(work.db, current)
    await revoke_keys_of(work, institution_id, user_id)
    reason = "Left" if is_leaving else "Removed"
    changes = differences(current.facts(), {})
    await record_member(work, EventKind.MEMBER_REMOVED, current, changes, reason=reason)


async def lock_members(work: UnitOfWork, operator: Operator, institution_id: UUID) -> Role:
    """Lock the members of the institution; returns the role whose powers the operator has there.

    The role is read under the lock; see `Operator.giver` for API keys.
    """
    operator.authorized(institution_id)
    if await institution_storage.lock_institution(work.db, institution_id) is None:
        raise operator.unseen("institution")
    role: Role | None = Role.OWNER
    if not operator.is_system_admin:
        role = await storage.fetch_role(work.db, institution_id, operator.user_id)
    if role is None:
        raise operator.unseen("institution")
    if not role.covers(operator.needed):
        raise errors.forbidden(operator.needed)
    return operator.giver(role)


async def check_assignments(
    db: Connection,
    catalog: AssignableCatalog,
    *,
    institution_id: UUID,
    role: Role,
    product_ids: Sequence[UUID],
    release_ids: Sequence[UUID],
) -> Assignments:
    """Return the assignments without duplicates.

    Raises:
        Refused: `InvalidRequest` naming each ID that is not the institution's, or both fields if
            the role is not Member.
    """
    breaches = list(assignment_breaches(role, product_ids, release_ids))
    if not breaches:
        visibility = Visibility((institution_id,))
        products = await catalog.visible_products(db, visibility, set(product_ids))
        releases = await catalog.visible_releases(db, visibility, set(release_ids))
        breaches += _unknown("productIds", "product", product_ids, products)
        breaches += _unknown("releaseIds", "release", release_ids, releases)
    if breaches:
        raise bad_fields(breaches)
    return Assignments(tuple(sorted(set(product_ids))), tuple(sorted(set(release_ids))))


def _unknown(
    field: str, what: str, ids: Sequence[UUID], known: Collection[UUID]
) -> list[FieldError]:
    return [
        FieldError(f"{field}[{index}]", f"is not a {what} of this institution.")
        for index, item in enumerate(ids)
        if item not in known
    ]


async def give_up_role(work: UnitOfWork, current: Member, role: Role | None) -> None:
    """Prepare a change of role: keep an Owner, and revoke links that the member may know."""
    if current.role is Role.OWNER and role is not Role.OWNER:
        institution_id, user_id = current.institution_id, current.user_id
        if not await storage.has_other_owner(work.db, institution_id, user_id):
            raise errors.last_owner()
    lost = roles_out_of_reach(current.role, role)
    if lost:
        await storage.delete_links(work.db, current.institution_id, lost)


async def record_member(
    work: UnitOfWork, kind: EventKind, member: Member, changes: dict[str, object], **more: object
) -> None:
    """Record what happened to a member, with more data than their own."""
    await record_event(
        work,
        kind,
        institution_id=member.institution_id,
        subject_id=member.user_id,
        data={**member.facts(), **more},
        changes=changes,
    )


async def lock_institution(work: UnitOfWork, institution_id: UUID) -> Institution | None:
    """Lock the institution, as for any change of its members."""
    return await institution_storage.lock_institution(work.db, institution_id)


async def enforce_sso(work: UnitOfWork, institution: Institution, *, enforced: bool) -> None:
    """Set whether members have to sign in through the provider. Expects the institution locked."""
    changed = replace(institution, sso_enforced=enforced)
    await INSTITUTIONS.update(work.db, changed, "sso_enforced")


async def provide_membership(
    work: UnitOfWork, institution_id: UUID, user: User, role: Role
) -> None:
    """Add the user as a member with this role, if they are none. Expects a locked institution."""
    if await storage.fetch_role(work.db, institution_id, user.id) is not None:
        return
    await storage.insert_membership(
        work.db, institution_id=institution_id, user_id=user.id, role=role, now=work.now
    )
    member = await storage.fetch_member(work.db, institution_id, user.id)
    if member is not None:
        await _record_provided(
            work, EventKind.MEMBER_JOINED, member, differences({}, member.facts())
        )


async def provide_role(work: UnitOfWork, institution_id: UUID, user_id: UUID, role: Role) -> None:
    """Give a member the role that the provider says they have.

    Owners keep theirs: only an Owner can add or remove Owners. Expects the institution locked.
    """
    current = await storage.fetch_member(work.db, institution_id, user_id)
    if current is None or current.role in {Role.OWNER, role}:
        return
    assigned = current if role is Role.MEMBER else NOTHING
    changed = replace(
        current, role=role, product_ids=assigned.product_ids, release_ids=assigned.release_ids
    )
    await give_up_role(work, current, role)
    await storage.save_role(work.db, changed)
    await storage.save_assignments(work.db, changed, before=current)
    changes = differences(current.facts(), changed.facts())
    await _record_provided(work, EventKind.MEMBER_UPDATED, changed, changes)


async def _record_provided(
    work: UnitOfWork, kind: EventKind, member: Member, changes: dict[str, object]
) -> None:
    acting = acting_as(work, user_id=member.user_id, email=member.email)
    await record_member(acting, kind, member, changes, reason="IdentityProvider")

"""Members provided by an institution's identity provider, and its rules for signing in."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.changes import differences
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.account_events import acting_as
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.members import NOTHING, Member
from licet_server.institutions.service.members import give_up_role
from licet_server.institutions.storage import institutions as institution_storage
from licet_server.institutions.storage import members as storage
from licet_server.institutions.storage.institutions import INSTITUTIONS
from licet_server.kit.unit_of_work import UnitOfWork


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
    await record_event(
        acting_as(work, user_id=member.user_id, email=member.email),
        kind,
        institution_id=member.institution_id,
        subject_id=member.user_id,
        data={**member.facts(), "reason": "IdentityProvider"},
        changes=changes,
    )

"""Institutions: made, seen and ended by those who belong to them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity import errors
from licet_server.identity.rules.people import Institution
from licet_server.identity.storage.users import insert_membership
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.storage import institutions
from licet_server.institutions.storage.institutions import (
    fetch_institution_names,
    fetch_telemetry_retention,
    has_known_owner,
    insert_institution,
    update_institution_name,
)
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.settings import Settings
from licet_server.kit.unit_of_work import UnitOfWork


async def create_institution(
    work: UnitOfWork, settings: Settings, operator: Operator, name: str
) -> Institution:
    """Make an institution whose Owner is the operator.

    Where sign-up is closed, that takes somebody who belongs to one: an end user has an account to
    see his licenses, and does not become a vendor by it.

    Raises:
        Refused: `Forbidden`.
    """
    belongs = operator.roles or operator.grants.barred
    if not (settings.signup_open or belongs or operator.is_system_admin):
        raise errors.no_new_institutions()
    return await found_institution(work, operator.user_id, name)


async def found_institution(work: UnitOfWork, owner_id: UUID, name: str) -> Institution:
    """Make an institution with its Owner."""
    institution = Institution(work.new_id(), name, work.now)
    await insert_institution(work.db, institution.id, name, work.now)
    await insert_membership(work.db, institution.id, owner_id, Role.OWNER, work.now)
    await record_institution(
        work, EventKind.INSTITUTION_CREATED, institution, {"name": [None, name]}
    )
    return institution


async def list_institutions(
    db: Connection, operator: Operator, paging: Paging, search: str | None
) -> Listing[Institution]:
    """Those the operator sees."""
    return await institutions.list_institutions(db, operator.roles, paging, search)


async def institution_names(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """The names of these institutions by id, for things that show whose they are."""
    return await fetch_institution_names(db, set(ids)) if ids else {}


async def fetch_institution(
    db: Connection, operator: Operator, institution_id: UUID
) -> Institution:
    """One institution that the operator sees and where he holds the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    operator.authorized(institution_id)
    institution = await institutions.fetch_institution(db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return institution


async def require_known(db: Connection, operator: Operator, institution_id: UUID) -> None:
    """Check that somebody in the institution is known by a verified address: he, or an Owner.

    Whoever was invited by a link has proved no address, but an Owner answers for him. Where nobody
    does, the institution may be anybody's.

    Raises:
        Refused: `Forbidden`.
    """
    if not operator.email_verified and not await has_known_owner(db, institution_id):
        raise errors.email_not_verified()


async def count_members(db: Connection, institution_id: UUID) -> int:
    """How many people belong to an institution."""
    return await institutions.count_members(db, institution_id)


async def telemetry_retention_days(db: Connection, ids: Collection[UUID]) -> dict[UUID, int]:
    """For how many days these institutions keep telemetry; those that are gone are absent."""
    return await fetch_telemetry_retention(db, ids) if ids else {}


async def rename_institution(
    work: UnitOfWork, operator: Operator, institution_id: UUID, name: str | None
) -> Institution:
    """Change the name; `None` leaves it."""
    institution = await fetch_institution(work.db, operator, institution_id)
    if name is None:
        return institution
    if name == institution.name:
        return institution
    await update_institution_name(work.db, institution_id, name)
    renamed = replace(institution, name=name)
    changes = {"name": [institution.name, name]}
    await record_institution(work, EventKind.INSTITUTION_UPDATED, renamed, changes)
    return renamed


async def delete_institution(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Delete an institution without products, for good.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it has products.
    """
    await fetch_institution(work.db, operator, institution_id)
    await institutions.delete_institution(work.db, institution_id)


async def record_institution(
    work: UnitOfWork, kind: EventKind, institution: Institution, changes: Mapping[str, object]
) -> None:
    """Record what happened to an institution."""
    await record_event(
        work,
        kind,
        institution_id=institution.id,
        subject_id=institution.id,
        data={"id": institution.id, "name": institution.name},
        changes=changes,
    )

"""Institutions: creating, listing, renaming and deleting."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime, tzinfo
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.events.service.sealing import begin_chain
from licet_server.identity.errors import email_not_verified
from licet_server.identity.rules.memberships import Role
from licet_server.institutions import errors
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.rules.plans import UNLIMITED, Plan, PlanTerms
from licet_server.institutions.storage import institutions
from licet_server.institutions.storage.institutions import (
    INSTITUTIONS,
    fetch_founding_terms,
    fetch_institution_names,
    fetch_telemetry_retention,
    fetch_time_zones,
    has_verified_owner,
)
from licet_server.institutions.storage.members import insert_membership
from licet_server.kit.database import Connection
from licet_server.kit.dates import instant_of, zone_named
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.settings import Settings
from licet_server.kit.unit_of_work import UnitOfWork


async def create_institution(
    work: UnitOfWork, settings: Settings, operator: Operator, name: str
) -> Institution:
    """Create an institution whose Owner is the operator.

    An Owner or Admin of an institution creates another one on the same plan: that of the oldest
    one where they are. All others need open sign-up and must have no membership, as after signing
    up: an end user's account is for viewing their licenses, and does not make them a vendor.

    Raises:
        Refused: `Forbidden`.
    """
    terms = await fetch_founding_terms(work.db, operator.user_id)
    if terms is None:
        is_member = (operator.roles or operator.grants.barred) and not operator.is_system_admin
        if is_member or not (settings.signup_open or operator.is_system_admin):
            raise errors.no_new_institutions()
        terms = default_terms(settings)
    return await create_institution_with_owner(
        work, owner_id=operator.user_id, name=name, terms=terms
    )


def default_terms(settings: Settings) -> PlanTerms:
    """Return the plan of institutions whose founder has none yet."""
    return PlanTerms(Plan(settings.default_plan))


async def create_institution_with_owner(
    work: UnitOfWork, *, owner_id: UUID, name: str, terms: PlanTerms = UNLIMITED
) -> Institution:
    """Create an institution whose Owner is the user."""
    institution = Institution(
        id=work.new_id(),
        name=name,
        created_at=work.now,
        plan=terms.plan,
        products_limit=terms.own_limits.products,
        licenses_limit=terms.own_limits.licenses,
    )
    await INSTITUTIONS.insert(work.db, institution)
    await insert_membership(
        work.db,
        institution_id=institution.id,
        user_id=owner_id,
        role=Role.OWNER,
        now=work.now,
    )
    await begin_chain(work, institution.id)
    await record_institution(
        work, EventKind.INSTITUTION_CREATED, institution, {"name": [None, name]}
    )
    return institution


async def list_institutions(
    db: Connection, operator: Operator, paging: Paging, search: str | None
) -> Listing[Institution]:
    """List the institutions that the operator sees."""
    return await institutions.list_institutions(db, operator.roles, paging, search)


async def list_all_institution_ids(db: Connection) -> list[UUID]:
    """List the IDs of all institutions of the instance."""
    return await institutions.list_all_institution_ids(db)


async def institution_names(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """Fetch the names of institutions by ID."""
    return await fetch_institution_names(db, set(ids)) if ids else {}


async def fetch_institution(
    db: Connection, operator: Operator, institution_id: UUID
) -> Institution:
    """Fetch an institution that the operator sees, after a check of the required role.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    operator.authorized(institution_id)
    institution = await institutions.fetch_institution(db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return institution


async def require_known(db: Connection, operator: Operator, institution_id: UUID) -> None:
    """Check that the operator or an Owner of the institution has a verified e-mail address.

    A member who was invited by a link has verified no address, but an Owner is accountable for
    them. If no Owner has a verified address either, the institution is anonymous.

    Raises:
        Refused: `Forbidden`.
    """
    if not operator.email_verified and not await has_verified_owner(db, institution_id):
        raise email_not_verified()


async def count_members(db: Connection, institution_id: UUID) -> int:
    """Count the members of an institution."""
    return await institutions.count_members(db, institution_id)


async def time_zones(db: Connection, ids: Collection[UUID]) -> dict[UUID, tzinfo]:
    """Fetch the time zones in which the days of institutions end; UTC of an unknown one."""
    known = await fetch_time_zones(db, ids) if ids else {}
    return {item: zone_named(known.get(item, "UTC")) for item in ids}


async def end_of_term(db: Connection, institution_id: UUID, end: date | None) -> datetime | None:
    """Return the instant at which a term ends: for a day, its end in the local time zone."""
    if end is None or isinstance(end, datetime):
        return end
    zones = await time_zones(db, [institution_id])
    return instant_of(end, zones[institution_id])


async def telemetry_retention_days(db: Connection, ids: Collection[UUID]) -> dict[UUID, int]:
    """Fetch for how many days institutions keep telemetry; deleted ones are omitted."""
    return await fetch_telemetry_retention(db, ids) if ids else {}


async def rename_institution(
    work: UnitOfWork, operator: Operator, institution_id: UUID, name: str | None
) -> Institution:
    """Change the name; `None` leaves it unchanged."""
    institution = await fetch_institution(work.db, operator, institution_id)
    if name is None or name == institution.name:
        return institution
    renamed = replace(institution, name=name)
    await INSTITUTIONS.update(work.db, renamed, "name")
    changes = {"name": [institution.name, name]}
    await record_institution(work, EventKind.INSTITUTION_UPDATED, renamed, changes)
    return renamed


async def delete_institution(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Delete an institution without products, permanently.

    Its audit log and chain stay, for system Admins.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it has products.
    """
    institution = await fetch_institution(work.db, operator, institution_id)
    await INSTITUTIONS.delete(work.db, institution)
    changes = {"name": [institution.name, None]}
    await record_institution(work, EventKind.INSTITUTION_DELETED, institution, changes)


async def record_institution(
    work: UnitOfWork, kind: EventKind, institution: Institution, changes: Mapping[str, object]
) -> None:
    """Record an event of an institution."""
    await record_event(
        work,
        kind,
        institution_id=institution.id,
        subject_id=institution.id,
        data={"id": institution.id, "name": institution.name},
        changes=changes,
    )

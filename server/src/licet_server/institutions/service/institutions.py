"""Institutions: creating, listing, renaming and deleting."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, datetime, tzinfo
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences, facts_of
from licet_server.events.service.recording import record_event
from licet_server.events.service.sealing import begin_chain
from licet_server.identity.errors import email_not_verified
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.service.sign_up import create_first_user
from licet_server.identity.service.users import NewAccount
from licet_server.institutions import errors
from licet_server.institutions.rules.institutions import (
    NO_LIMITS,
    UNLIMITED,
    Institution,
    InstitutionSettings,
    Limits,
    Plan,
    PlanTerms,
    require_own_address,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage.institutions import INSTITUTIONS
from licet_server.institutions.storage.members import insert_membership
from licet_server.kit.database import Connection
from licet_server.kit.dates import instant_of, zone_named
from licet_server.kit.limits import RateLimits, fetch_rate_limits, save_rate_limits
from licet_server.kit.look_ups import Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.settings import Settings
from licet_server.kit.unit_of_work import UnitOfWork


async def create_institution(
    work: UnitOfWork, settings: Settings, operator: Operator, name: str
) -> Institution:
    """Create an institution whose Owner is the operator.

    An Owner or Admin of an institution creates another one on the same plan: that of the oldest
    one where they are. All others need open sign-up and must have no membership, as after signing
    up: an end user's account is for viewing their licenses, and does not make them a vendor.
    """
    terms = await storage.fetch_founding_terms(work.db, operator.user_id)
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
    return await storage.list_institutions(db, operator.roles, paging, search)


async def list_all_institution_ids(db: Connection) -> list[UUID]:
    """List the IDs of all institutions of the instance."""
    return await storage.list_all_institution_ids(db)


async def institution_names(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """Fetch the names of institutions by ID."""
    return await storage.fetch_institution_names(db, set(ids)) if ids else {}


async def fetch_institution(
    source: Source, operator: Operator, institution_id: UUID
) -> Institution:
    """Fetch an institution that the operator sees, after a check of the required role."""
    operator.authorized(institution_id)
    institution = await storage.fetch_institution(source, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return institution


async def require_known(db: Connection, operator: Operator, institution_id: UUID) -> None:
    """Check that the operator or an Owner of the institution has a verified email address.

    A member who was invited by a link has verified no address, but an Owner is accountable for
    them. If no Owner has a verified address either, the institution is anonymous.
    """
    if not operator.email_verified and not await storage.has_verified_owner(db, institution_id):
        raise email_not_verified()


async def count_members(db: Connection, institution_id: UUID) -> int:
    return await storage.count_members(db, institution_id)


async def time_zones(db: Connection, ids: Collection[UUID]) -> dict[UUID, tzinfo]:
    """Fetch the time zones in which the days of institutions end; UTC of an unknown one."""
    known = await storage.fetch_time_zones(db, ids) if ids else {}
    return {item: zone_named(known.get(item, "UTC")) for item in ids}


async def end_of_term(db: Connection, institution_id: UUID, end: date | None) -> datetime | None:
    """Return the instant at which a term ends: for a day, its end in the local time zone."""
    if end is None or isinstance(end, datetime):
        return end
    zones = await time_zones(db, [institution_id])
    return instant_of(end, zones[institution_id])


async def telemetry_retention_days(db: Connection, ids: Collection[UUID]) -> dict[UUID, int]:
    """Fetch for how many days institutions keep telemetry; deleted ones are omitted."""
    return await storage.fetch_telemetry_retention(db, ids) if ids else {}


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
    await record_event(
        work,
        kind,
        institution_id=institution.id,
        subject_id=institution.id,
        data={"id": institution.id, "name": institution.name},
        changes=changes,
    )


async def set_plan(
    work: UnitOfWork, operator: Operator, institution_id: UUID, plan: Plan, own_limits: Limits
) -> Institution:
    """Give an institution a plan, and limits of its own unless they are `None`.

    What exceeds the new limits remains, but nothing can be added.
    """
    current = await fetch_institution(work.db, operator, institution_id)
    changed = replace(
        current,
        plan=plan,
        products_limit=own_limits.products,
        licenses_limit=own_limits.licenses,
    )
    await INSTITUTIONS.update(work.db, changed, "plan", "products_limit", "licenses_limit")
    changes = {
        name: [before, after]
        for name, before, after in (
            ("plan", current.plan, changed.plan),
            ("limits.products", current.limits.products, changed.limits.products),
            ("limits.licenses", current.limits.licenses, changed.limits.licenses),
        )
        if before != after
    }
    if changes:
        await record_institution(work, EventKind.INSTITUTION_PLAN_CHANGED, changed, changes)
    return changed


async def lock_limits(db: Connection, institution_id: UUID) -> Limits:
    """Return the limits of the institution's plan.

    If there are any, the institution stays locked until the transaction ends: concurrent callers
    wait, and then count what was added here.
    """
    institution = await storage.fetch_institution(db, institution_id)
    if institution is not None and institution.limits != NO_LIMITS:
        institution = await storage.lock_institution(db, institution_id)
    return NO_LIMITS if institution is None else institution.limits


async def fetch_settings(
    db: Connection, operator: Operator, institution_id: UUID
) -> InstitutionSettings:
    """Fetch the settings of an institution that the operator belongs to."""
    _authorize(operator, institution_id)
    institution = await storage.fetch_institution(db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return _settings(institution, await fetch_rate_limits(db, institution_id))


async def change_settings(
    work: UnitOfWork,
    operator: Operator,
    institution_id: UUID,
    change: Mapping[str, Any],
    *,
    is_confirmed: bool,
) -> InstitutionSettings:
    """Change the fields in `change`, which are named as in `InstitutionSettings`.

    They take effect at the next request. `is_confirmed` permits an allow list without the address
    of the operator; a system Admin can correct it from any address.

    Raises:
        Refused: `InvalidRequest`, `NotFound`, `Forbidden`, `StepUpRequired` to change
            `require_second_factor`.
    """
    _authorize(operator, institution_id)
    institution = await storage.lock_institution(work.db, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    if "ip_allow_list" in change and not is_confirmed:
        require_own_address(change["ip_allow_list"], work.origin.ip_address)
    current = _settings(institution, await fetch_rate_limits(work.db, institution_id))
    changed = replace(current, **change)
    if changed == current:
        return current
    if changed.require_second_factor != current.require_second_factor:
        operator.require_proof(work.now)
    institution = replace(
        institution,
        ip_allow_list=changed.ip_allow_list,
        expiry_reminder_days=changed.expiry_reminder_days,
        telemetry_retention_days=changed.telemetry_retention_days,
        time_zone=changed.time_zone,
        second_factor_required=changed.require_second_factor,
    )
    await INSTITUTIONS.save(work.db, institution)
    limits = RateLimits(changed.runtime_rate_limit, changed.api_key_rate_limit)
    await save_rate_limits(work.db, institution_id, limits)
    changes = differences(facts_of(current), facts_of(changed))
    await record_institution(work, EventKind.INSTITUTION_SETTINGS_CHANGED, institution, changes)
    return changed


def _authorize(operator: Operator, institution_id: UUID) -> None:
    """Authorize as usual, but never bar system Admins: they can correct a list that bars all."""
    if operator.is_system_admin and institution_id in operator.grants.barred:
        return
    operator.authorized(institution_id)


def _settings(institution: Institution, limits: RateLimits) -> InstitutionSettings:
    return InstitutionSettings(
        ip_allow_list=institution.ip_allow_list,
        runtime_rate_limit=limits.runtime,
        api_key_rate_limit=limits.api_key,
        expiry_reminder_days=institution.expiry_reminder_days,
        telemetry_retention_days=institution.telemetry_retention_days,
        time_zone=institution.time_zone,
        require_second_factor=institution.second_factor_required,
    )


async def create_first_owner(
    work: UnitOfWork, passwords: Passwords, account: NewAccount, terms: PlanTerms = UNLIMITED
) -> User:
    """Create an institution with its Owner, who is a system Admin with a verified address.

    Raises:
        Refused: `Conflict` if the email address already has an account.
    """
    user = await create_first_user(work, account, await passwords.hash(account.password))
    await create_institution_with_owner(
        work,
        owner_id=user.id,
        name=account.institution_name,
        terms=terms,
    )
    return user

"""Plans: set by system Admins, enforced when products and licenses are created."""

from dataclasses import replace
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.rules.plans import NO_LIMITS, Limits, Plan
from licet_server.institutions.service.institutions import fetch_institution, record_institution
from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage.institutions import INSTITUTIONS
from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork


async def set_plan(
    work: UnitOfWork, operator: Operator, institution_id: UUID, plan: Plan, own_limits: Limits
) -> Institution:
    """Give an institution a plan, and limits of its own unless they are `None`.

    What exceeds the new limits remains, but nothing can be added.

    Raises:
        Refused: `NotFound`.
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

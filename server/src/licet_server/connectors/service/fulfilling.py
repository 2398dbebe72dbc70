"""Gives an order the licenses that it is to have, by the use cases that operators have, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from licet_server.connectors.rules.licensing import (
    Decision,
    Held,
    Use,
    Wanted,
    changed_license,
    steps,
)
from licet_server.connectors.rules.model import Connector, Order, OrderStatus
from licet_server.connectors.storage import orders as storage
from licet_server.connectors.storage.orders import HeldLicense
from licet_server.customers.service.customers import ensure_customer
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Grants, Operator
from licet_server.kit.passwords import Passwords
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.drafts import LicenseDraft
from licet_server.licenses.rules.model import License, differing_fields
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.service import issuing, lifecycle
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.reading import find_by_ids, lock_license


@dataclass(frozen=True, slots=True)
class Fulfillment:
    """An order with the licenses that it has, and what was decided about it."""

    connector: Connector
    order: Order
    held: Sequence[HeldLicense]
    decision: Decision
    policies: Mapping[UUID, Policy]


def operator_of(connector: Connector) -> Operator:
    """Return the operator that stands for a connector: an Admin of its institution alone."""
    return Operator(
        user_id=connector.id,
        email="",
        email_verified=False,
        is_system_admin=False,
        sign_in_id=connector.id,
        grants=Grants(roles={connector.institution_id: Role.ADMIN}),
        needed=Role.ADMIN,
    )


async def fulfill(
    work: UnitOfWork,
    due: Fulfillment,
    *,
    hooks: LicenseHooks,
    passwords: Passwords,
    buyer_name: str | None,
) -> None:
    """Change the licenses of an order, then issue those that it lacks.

    A license that somebody has revoked or deleted stays so, and one that somebody else has
    suspended stays suspended.

    Raises:
        Refused: what issuing or changing a license raises.
    """
    wanted = due.decision.wanted
    if wanted is None:
        return
    held = {item.held.license_id: item for item in due.held}
    todo = steps([item.held for item in held.values()], wanted)
    if not (todo.change or todo.issue or todo.unused):
        return
    changes = _Changes(work, due, operator_of(due.connector), hooks, passwords)
    existing = await find_by_ids(work.db, changes.operator.visibility, list(held))
    # In the order of their ids, as everybody locks licenses; customers and products come later.
    for match, wish in sorted(todo.change, key=lambda item: item[0].license_id):
        current = held[match.license_id]
        await changes.change(current, wish, existing.get(match.license_id))
    if due.decision.status is not OrderStatus.UNMATCHED:
        for item in todo.unused:
            wish = Wanted(item.plan, Use.SUSPENDED)
            if item.use is Use.ACTIVE:
                current = held[item.license_id]
                await changes.change(current, wish, existing.get(item.license_id))
    if todo.issue:
        email = todo.issue[0].plan.issued_to
        await ensure_customer(work, due.order.institution_id, email, name=buyer_name)
    # In the order of products, whose rows are locked until the end.
    for wish in sorted(todo.issue, key=lambda item: str(item.plan.product_id)):
        await changes.issue(wish)


@dataclass(frozen=True, slots=True)
class _Changes:
    """Changes the licenses of one order."""

    work: UnitOfWork
    due: Fulfillment
    operator: Operator
    hooks: LicenseHooks
    passwords: Passwords

    async def issue(self, wish: Wanted) -> None:
        details = await issuing.issue(
            self.work,
            self.operator,
            _draft(wish),
            passwords=self.passwords,
            hooks=self.hooks,
        )
        held = Held(details.license.id, wish.plan, Use.ACTIVE)
        is_suspended = await self._use(HeldLicense(held, is_suspended=False), wish, details.license)
        await self._save(held.license_id, wish, is_suspended=is_suspended)

    async def change(self, current: HeldLicense, wish: Wanted, existing: License | None) -> None:
        is_suspended = current.is_suspended
        if existing is not None and existing.revoked_at is None:
            # Locked before it is read, so that nothing that an operator changes now is lost.
            locked = await lock_license(self.work.db, self.operator, existing.id)
            policy = self.due.policies[wish.plan.policy_id]
            changed = changed_license(locked, current.held.plan, wish.plan, policy)
            changes = differing_fields(locked, changed)
            if changes:
                await issuing.change(
                    self.work,
                    self.operator,
                    locked.id,
                    changes,
                    password=None,
                    passwords=self.passwords,
                    hooks=self.hooks,
                )
            is_suspended = await self._use(current, wish, locked)
        await self._save(current.held.license_id, wish, is_suspended=is_suspended)

    async def _use(self, current: HeldLicense, wish: Wanted, existing: License) -> bool:
        """Suspend, reinstate or revoke a license; returns whether the connector suspended it."""
        reason = f"Order {self.due.order.external_id}"
        if wish.use is Use.REVOKED:
            await lifecycle.revoke(
                self.work, self.operator, existing.id, reason=reason, hooks=self.hooks
            )
            return current.is_suspended
        if wish.use is Use.SUSPENDED and existing.suspended_at is None:
            await lifecycle.suspend(self.work, self.operator, existing.id, reason=reason)
            return True
        if wish.use is Use.ACTIVE and current.is_suspended:
            await lifecycle.reinstate(self.work, self.operator, existing.id)
            return False
        return current.is_suspended

    async def _save(self, license_id: UUID, wish: Wanted, *, is_suspended: bool) -> None:
        left = HeldLicense(Held(license_id, wish.plan, wish.use), is_suspended)
        await storage.save_license(self.work.db, self.due.order, left)


def _draft(wish: Wanted) -> LicenseDraft:
    """A license that is suspended at once is mailed to nobody."""
    plan = wish.plan
    return LicenseDraft(
        policy_id=plan.policy_id,
        expiration_date=plan.ends_at,
        grace_days=plan.grace_days,
        max_active_users_count=plan.seats,
        issued_to=plan.issued_to,
        notify=wish.use is Use.ACTIVE,
    )

"""Gives an order its desired licenses, through the use cases of operators."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from uuid import UUID

from licet_server.connectors.rules.changing import changed_license, counted, renewed, steps
from licet_server.connectors.rules.facts import MAX_REFERENCE
from licet_server.connectors.rules.licensing import (
    CurrentLicense,
    Decision,
    DesiredLicense,
    LicenseState,
    Plan,
)
from licet_server.connectors.rules.model import Connector, Order, OrderStatus
from licet_server.connectors.storage import orders as storage
from licet_server.connectors.storage.orders import OrderLicense
from licet_server.customers.service.customers import ensure_customer, present_address
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Grants, Operator
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.drafts import LicenseDraft
from licet_server.licenses.rules.model import License, differing_fields
from licet_server.licenses.rules.policies import Policy
from licet_server.licenses.service import issuing, lifecycle
from licet_server.licenses.service.hooks import LicenseHooks
from licet_server.licenses.service.reading import find_by_ids, lock_license
from licet_server.metering.rules.model import LedgerEntryType
from licet_server.metering.service import wallets


@dataclass(frozen=True, slots=True)
class Fulfillment:
    """An order with its current licenses, and the decision about it.

    `zone` is that of the institution.
    """

    connector: Connector
    order: Order
    licenses: Sequence[OrderLicense]
    decision: Decision
    policies: Mapping[UUID, Policy]
    zone: tzinfo


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
    buyer_name: str | None,
) -> tuple[str, UUID] | None:
    """Change the licenses of an order, then issue those that it lacks.

    Returns the address and the ID of the customer who got licenses, or `None`.

    A license that an operator revoked or deleted stays so, and one that an operator suspended stays
    suspended.

    Raises:
        Refused: what issuing or changing a license raises.
    """
    desired = due.decision.licenses
    if desired is None:
        return None
    licenses = {item.license.license_id: item for item in due.licenses}
    todo = steps([item.license for item in licenses.values()], desired)
    if not (todo.change or todo.issue or todo.unused):
        return None
    changes = _Changes(work, due, operator_of(due.connector), hooks)
    existing = await find_by_ids(work.db, changes.operator.visibility, list(licenses))
    # By ID, the lock order of licenses; customers and products come later.
    for match, target in sorted(todo.change, key=lambda item: item[0].license_id):
        current = licenses[match.license_id]
        await changes.change(current, target, existing.get(match.license_id))
    if due.decision.status is not OrderStatus.UNMATCHED:
        for item in todo.unused:
            target = DesiredLicense(item.plan, LicenseState.SUSPENDED)
            if item.state is LicenseState.ACTIVE:
                current = licenses[item.license_id]
                await changes.change(current, target, existing.get(item.license_id))
    if not todo.issue:
        return None
    email = await present_address(work, due.order.institution_id, todo.issue[0].plan.issued_to)
    customer_id = await ensure_customer(work, due.order.institution_id, email, name=buyer_name)
    # In the order of products, whose rows are locked until the end.
    for target in sorted(todo.issue, key=lambda item: str(item.plan.product_id)):
        await changes.issue(target, email)
    return email, customer_id


@dataclass(frozen=True, slots=True)
class _Changes:
    """Changes the licenses of one order."""

    work: UnitOfWork
    due: Fulfillment
    operator: Operator
    hooks: LicenseHooks

    async def issue(self, target: DesiredLicense, email: str) -> None:
        details = await issuing.issue(
            self.work,
            self.operator,
            _draft(target, email),
            hooks=self.hooks,
        )
        issued = CurrentLicense(details.license.id, target.plan, LicenseState.ACTIVE)
        left = await self._renew(
            OrderLicense(issued, is_suspended=False, granted={}), target, details.license
        )
        await self._save(await self._state(left, target, details.license), target)

    async def change(
        self, current: OrderLicense, target: DesiredLicense, existing: License | None
    ) -> None:
        left = current
        if existing is not None and (existing.revoked_at is None or current.is_revoked):
            # Locked before it is read, so that nothing that an operator changes now is lost.
            locked = await lock_license(self.work.db, self.operator, existing.id)
            if locked.revoked_at is not None and target.state is not LicenseState.REVOKED:
                locked = await lifecycle.undo_revocation(self.work, self.operator, locked.id)
                left = replace(left, is_revoked=False)
            if locked.revoked_at is None:
                await self._change_fields(locked, current.license.plan, target.plan)
                left = await self._renew(left, target, locked)
                left = await self._state(left, target, locked)
        await self._save(left, target)

    async def _change_fields(self, locked: License, before: Plan, after: Plan) -> None:
        policy = self.due.policies[after.policy_id]
        wanted = changed_license(locked, before, after, policy, self.due.zone)
        changes = differing_fields(locked, wanted)
        if changes:
            await issuing.change(
                self.work,
                self.operator,
                locked.id,
                changes,
                hooks=self.hooks,
            )

    async def _renew(
        self, current: OrderLicense, target: DesiredLicense, existing: License
    ) -> OrderLicense:
        """Add to the balance what renewals grant that were not counted, and take back others."""
        if target.state is LicenseState.REVOKED:
            return current
        amount = self.due.policies[target.plan.policy_id].renewal_grant
        known = counted(current.license.plan, target.plan, current.granted)
        todo = renewed(known, target.plan, amount if existing.traits.is_metered else None)
        reason = f"Order {self.due.order.external_id}"
        for payment, granted in todo.grants:
            await wallets.change_wallet(
                self.work,
                self.operator,
                LedgerEntryType.ADMIN_GRANT,
                license_id=existing.id,
                amount=granted,
                reason=f"{reason} was renewed.",
                external_reference=payment[:MAX_REFERENCE],
            )
        for payment, granted in todo.taken_back:
            wallet = await wallets.fetch_wallet(self.work.db, self.operator, existing.id)
            left = min(granted, wallet.balance)
            if left > 0:
                await wallets.change_wallet(
                    self.work,
                    self.operator,
                    LedgerEntryType.ADJUST,
                    license_id=existing.id,
                    amount=-left,
                    reason=f"A renewal of {reason} was refunded.",
                    external_reference=payment[:MAX_REFERENCE],
                )
        return replace(current, granted=todo.counted)

    async def _state(
        self, current: OrderLicense, target: DesiredLicense, existing: License
    ) -> OrderLicense:
        """Suspend, reinstate or revoke a license; returns what the connector did."""
        reason = f"Order {self.due.order.external_id}"
        if target.state is LicenseState.REVOKED:
            await lifecycle.revoke(
                self.work, self.operator, existing.id, reason=reason, hooks=self.hooks
            )
            return replace(current, is_revoked=True)
        if target.state is LicenseState.SUSPENDED and existing.suspended_at is None:
            await lifecycle.suspend(self.work, self.operator, existing.id, reason=reason)
            return replace(current, is_suspended=True)
        if target.state is LicenseState.ACTIVE and current.is_suspended:
            await lifecycle.reinstate(self.work, self.operator, existing.id)
            return replace(current, is_suspended=False)
        return current

    async def _save(self, left: OrderLicense, target: DesiredLicense) -> None:
        license_ = CurrentLicense(left.license.license_id, target.plan, target.state)
        await storage.save_license(self.work.db, self.due.order, replace(left, license=license_))


def _draft(target: DesiredLicense, email: str) -> LicenseDraft:
    """Return the license to issue; one that is suspended at once is not emailed."""
    plan = target.plan
    term = plan.unused_term
    return LicenseDraft(
        policy_id=plan.policy_id,
        expiration_date=plan.ends_at,
        term_days=term.days or None,
        term_months=term.months or None,
        updates_until=plan.updates_until,
        grace_days=plan.grace_days,
        max_active_users_count=plan.seats,
        issued_to=email,
        notify=target.state is LicenseState.ACTIVE,
    )

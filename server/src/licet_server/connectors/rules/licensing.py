"""Derives the desired licenses of an order, and the steps from the current licenses to these.

A license of an order is never issued twice: one that the buyer no longer has is suspended, and
reused when they buy more. Only a revocation is final, and it follows from a single fact.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.connectors.rules.model import (
    Consequence,
    Consequences,
    OrderLine,
    OrderStatus,
    PaymentFailureConsequence,
    QuantityMeaning,
    SaleRule,
    rule_for,
)
from licet_server.connectors.rules.orders import OrderState, SoldLine
from licet_server.kit.dates import end_after
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy, TermStart, applied

MAX_LICENSES = 1_000
"""The maximum of an order; more licenses are considered a mistake."""


class LicenseState(StrEnum):
    """The state that an order requires of a license."""

    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    REVOKED = "Revoked"


class Plan(Struct, frozen=True, kw_only=True):
    """The terms of a license. `seats` and `ends_at` are `None` where the policy decides.

    `begins` is when a term began whose length the policy decides, and `renewal_grace_days` the part
    of the grace that the connector decides. Plans that were stored before have neither.
    """

    policy_id: UUID
    product_id: UUID
    model: str
    seats: int | None
    ends_at: datetime | None
    grace_days: int
    issued_to: str
    begins: datetime | None = None
    renewal_grace_days: int | None = None

    @property
    def family(self) -> tuple[UUID, str]:
        """The key of licenses that can be changed into each other."""
        return self.product_id, self.model


@dataclass(frozen=True, slots=True)
class DesiredLicense:
    """A license that an order should have."""

    plan: Plan
    state: LicenseState


@dataclass(frozen=True, slots=True)
class CurrentLicense:
    """A license of an order as the connector last left it."""

    license_id: UUID
    plan: Plan
    state: LicenseState


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of an order at a time.

    `licenses` is `None` while that is undecided: then nothing changes. `due_at` is when the
    result changes without new events.
    """

    status: OrderStatus
    lines: tuple[OrderLine, ...]
    licenses: tuple[DesiredLicense, ...] | None
    problem: str | None = None
    due_at: datetime | None = None


@dataclass(slots=True)
class Steps:
    """The changes that give an order its desired licenses."""

    issue: list[DesiredLicense] = field(default_factory=list)
    change: list[tuple[CurrentLicense, DesiredLicense]] = field(default_factory=list)
    unused: list[CurrentLicense] = field(default_factory=list)


def decide(
    state: OrderState,
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    consequences: Consequences,
    now: datetime,
    zone: tzinfo = UTC,
) -> Decision:
    """Return the result of an order at `now`; terms of policies end by the calendar of `zone`.

    An item without a matching rule adds no license, and removes none.
    """
    found = [(line, rule_for(rules, line.product, line.price)) for line in state.lines]
    lines = tuple(_order_line(line, rule, policies) for line, rule in found)
    is_unmatched = any(not _is_settled(rule, policies) for _, rule in found)
    if problem := _problem(state):
        return Decision(_status(state, consequences, is_unmatched=False), lines, None, problem)
    license_state, due_at = _state(state, consequences, now)
    desired = tuple(_desired(state, rules, policies, consequences, license_state, zone))
    if len(desired) > MAX_LICENSES:
        problem = f"The order is for more than {MAX_LICENSES:,} licenses, so none was issued."
        return Decision(OrderStatus.OPEN, lines, None, problem)
    problem = _UNMATCHED if is_unmatched else None
    return Decision(
        _status(state, consequences, is_unmatched=is_unmatched), lines, desired, problem, due_at
    )


_UNMATCHED = "No rule matches what was bought."


def _problem(state: OrderState) -> str | None:
    if state.paid_at is None:
        return None
    if not state.lines:
        return "No event has said yet what was sold."
    if state.buyer is None or state.buyer.email is None:
        return "No event has said yet what the buyer's e-mail address is."
    return None


def _order_line(
    line: SoldLine, rule: SaleRule | None, policies: Mapping[UUID, Policy]
) -> OrderLine:
    policy_id = None if rule is None or rule.policy_id not in policies else rule.policy_id
    return OrderLine(
        product=line.product,
        price=line.price,
        quantity=line.quantity,
        policy_id=policy_id,
        ends_at=line.paid_until,
    )


def _is_settled(rule: SaleRule | None, policies: Mapping[UUID, Policy]) -> bool:
    return rule is not None and (rule.policy_id is None or rule.policy_id in policies)


def _status(state: OrderState, consequences: Consequences, *, is_unmatched: bool) -> OrderStatus:
    if state.paid_at is None:
        return OrderStatus.CANCELED if state.is_ending else OrderStatus.OPEN
    is_refunded = state.is_unpaid or consequences.on_refund is Consequence.REVOKE
    if state.is_refunded and is_refunded:
        return OrderStatus.REFUNDED
    if is_unmatched:
        return OrderStatus.UNMATCHED
    if state.is_ending:
        return OrderStatus.CANCELED
    return OrderStatus.OPEN if _problem(state) else OrderStatus.FULFILLED


def _state(
    state: OrderState, consequences: Consequences, now: datetime
) -> tuple[LicenseState, datetime | None]:
    """Return the state of the licenses of an order, and when that changes without a new event."""
    revoked = (state.is_refunded and consequences.on_refund is Consequence.REVOKE) or (
        state.was_disputed and consequences.on_dispute is Consequence.REVOKE
    )
    if revoked:
        return LicenseState.REVOKED, None
    suspended = (state.is_unpaid and consequences.on_refund is Consequence.SUSPEND) or (
        state.is_disputed and consequences.on_dispute is Consequence.SUSPEND
    )
    if suspended:
        return LicenseState.SUSPENDED, None
    if state.failing_since is None or (
        consequences.on_payment_failed is PaymentFailureConsequence.NOTHING
    ):
        return LicenseState.ACTIVE, None
    due_at = state.failing_since + timedelta(days=consequences.grace_days)
    return (LicenseState.SUSPENDED, None) if due_at <= now else (LicenseState.ACTIVE, due_at)


def _desired(
    state: OrderState,
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    consequences: Consequences,
    license_state: LicenseState,
    zone: tzinfo,
) -> Iterator[DesiredLicense]:
    """Yield the licenses of the buyer, and suspended ones for what they no longer have."""

    def plans(lines: Sequence[SoldLine]) -> list[Plan]:
        found: list[Plan] = []
        for line in lines:
            rule = rule_for(rules, line.product, line.price)
            policy = (
                None if rule is None or rule.policy_id is None else policies.get(rule.policy_id)
            )
            if rule is not None and policy is not None:
                found += _plans(line, rule, policy, state, consequences, zone)
        return found

    present = plans(state.lines)
    yield from (DesiredLicense(plan, license_state) for plan in present)
    unused = (
        LicenseState.REVOKED if license_state is LicenseState.REVOKED else LicenseState.SUSPENDED
    )
    for family, most in _most(map(plans, state.statements)).items():
        current = sum(plan.family == family for plan in present)
        yield from (DesiredLicense(plan, unused) for plan in most[current:])


def _most(statements: Iterator[list[Plan]]) -> dict[tuple[UUID, str], list[Plan]]:
    """Return the most licenses that the buyer had at any time, by family."""
    found: dict[tuple[UUID, str], list[Plan]] = {}
    for plans in statements:
        for family in dict.fromkeys(plan.family for plan in plans):
            here = sorted((plan for plan in plans if plan.family == family), key=_order)
            before = found.get(family, [])
            if (len(here), [_order(plan) for plan in here]) > (
                len(before),
                [_order(plan) for plan in before],
            ):
                found[family] = here
    return found


def _order(plan: Plan) -> tuple[str, int]:
    return str(plan.policy_id), plan.seats or 0


def _plans(
    line: SoldLine,
    rule: SaleRule,
    policy: Policy,
    state: OrderState,
    consequences: Consequences,
    zone: tzinfo,
) -> list[Plan]:
    buyer = state.buyer
    if buyer is None or buyer.email is None:
        return []
    has_seats = rule.quantity_as is QuantityMeaning.SEATS
    is_renewed = line.recurs and line.paid_until is not None and not state.is_ending
    renewal_grace_days = consequences.grace_days if is_renewed else 0
    plan = Plan(
        policy_id=policy.id,
        product_id=policy.product_id,
        model=policy.type.value,
        seats=line.quantity if has_seats else None,
        ends_at=line.paid_until or _end_by_policy(line, policy, zone),
        grace_days=max(policy.grace_days, renewal_grace_days),
        issued_to=buyer.email,
        begins=line.begins if line.paid_until is None else None,
        renewal_grace_days=renewal_grace_days,
    )
    return [plan] * (1 if has_seats else min(line.quantity, MAX_LICENSES + 1))


def _end_by_policy(line: SoldLine, policy: Policy, zone: tzinfo) -> datetime | None:
    """Return the end of a term of the policy that began with the payment."""
    if policy.duration is None or policy.term_starts is TermStart.FIRST_USE:
        return None
    return end_after(line.begins, policy.duration, zone).end


def changed_license(license_: License, before: Plan, after: Plan, policy: Policy) -> License:
    """Return the license as the order wants it: only what the plan says otherwise than before.

    So it keeps what operators gave it until the shop says something else about the same field. A
    changed policy applies as if an operator applied it; what is changed within a policy changes no
    license. A license that operators made one of another model than was sold keeps its terms.

    Raises:
        Refused: what applying the policy raises.
    """
    found = license_
    if before.issued_to != after.issued_to:
        found = replace(found, issued_to=after.issued_to)
    if found.type is not policy.type:
        return found
    if before.policy_id != after.policy_id:
        found = applied(found, policy)
    if after.seats is not None:
        was_sold = after.seats == before.seats
        seats = license_.max_active_users_count if was_sold else after.seats
        found = replace(found, max_active_users_count=seats)
    elif before.seats is not None and policy.max_active_users_count is not None:
        found = replace(found, max_active_users_count=policy.max_active_users_count)
    if _has_another_end(before, after, policy):
        found = replace(found, expiration_date=after.ends_at)
    if _has_another_grace(before, after):
        found = replace(found, grace_days=after.grace_days)
    return found


def _has_another_end(before: Plan, after: Plan, policy: Policy) -> bool:
    is_same_term = after.begins is not None and after.begins == before.begins
    if before.ends_at == after.ends_at or (before.policy_id == after.policy_id and is_same_term):
        return False
    # Without an end, a term of the policy begins with the first use, or there is none.
    return after.ends_at is not None or policy.term_starts is TermStart.ISSUE


def _has_another_grace(before: Plan, after: Plan) -> bool:
    if before.grace_days == after.grace_days:
        return False
    is_same_part = before.renewal_grace_days == after.renewal_grace_days
    return before.policy_id != after.policy_id or not is_same_part


def steps(current: Sequence[CurrentLicense], desired: Sequence[DesiredLicense]) -> Steps:
    """Return the steps to the desired licenses; the license that changes least is matched first.

    Nothing more is issued to a buyer who was erased.
    """
    found = Steps()
    left = defaultdict(list)
    for item in current:
        left[item.plan.family].append(item)
    open_targets = list(desired)
    for is_match in _MATCHES:
        unmet: list[DesiredLicense] = []
        for target in open_targets:
            candidates = left[target.plan.family]
            match = next((item for item in candidates if is_match(item, target)), None)
            if match is None:
                unmet.append(target)
                continue
            candidates.remove(match)
            if (match.plan, match.state) != (target.plan, target.state):
                found.change.append((match, target))
        open_targets = unmet
    found.issue = [target for target in open_targets if target.plan.issued_to != ERASED_ADDRESS]
    found.unused = [item for items in left.values() for item in items]
    return found


_MATCHES: tuple[Callable[[CurrentLicense, DesiredLicense], bool], ...] = (
    lambda current, desired: (current.plan, current.state) == (desired.plan, desired.state),
    lambda current, desired: (
        current.state == desired.state and _order(current.plan) == _order(desired.plan)
    ),
    lambda current, desired: current.state == desired.state,
    lambda current, desired: _order(current.plan) == _order(desired.plan),
    lambda *_: True,
)
"""The ways to match a current license with a desired one, best first."""

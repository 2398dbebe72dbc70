"""The licenses that follow from an order, and the steps from those that it has to those.

A license that an order once had is never issued twice: what the buyer no longer has is suspended,
and used again when they have more. Only a revocation is final, and it follows from a single fact.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
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
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy, TermStart, applied

MAX_LICENSES = 1_000
"""The most licenses of an order; more are taken for a mistake."""


class Use(StrEnum):
    """What an order allows its licenses."""

    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    REVOKED = "Revoked"


class Plan(Struct, frozen=True, kw_only=True):
    """What a license is to be. `seats` and `ends_at` are `None` where the policy decides.

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
        """Licenses of one family can become each other."""
        return self.product_id, self.model


@dataclass(frozen=True, slots=True)
class Wanted:
    """A license that an order is to have."""

    plan: Plan
    use: Use


@dataclass(frozen=True, slots=True)
class Held:
    """A license that an order has, as the connector has last left it."""

    license_id: UUID
    plan: Plan
    use: Use


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from an order now.

    `wanted` is `None` while that cannot be said: then the licenses stay as they are. `due_at` is
    when something else follows, without new events.
    """

    status: OrderStatus
    lines: tuple[OrderLine, ...]
    wanted: tuple[Wanted, ...] | None
    problem: str | None = None
    due_at: datetime | None = None


@dataclass(slots=True)
class Steps:
    """What to do with the licenses of an order."""

    issue: list[Wanted] = field(default_factory=list)
    change: list[tuple[Held, Wanted]] = field(default_factory=list)
    unused: list[Held] = field(default_factory=list)


def decide(
    state: OrderState,
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    consequences: Consequences,
    now: datetime,
) -> Decision:
    """Return what follows from an order at `now`.

    What no rule matches gets no license, and takes none away.
    """
    found = [(line, rule_for(rules, line.product, line.price)) for line in state.lines]
    lines = tuple(_order_line(line, rule, policies) for line, rule in found)
    is_unmatched = any(not _is_settled(rule, policies) for _, rule in found)
    if problem := _problem(state):
        return Decision(_status(state, consequences, is_unmatched=False), lines, None, problem)
    use, due_at = _use(state, consequences, now)
    wanted = tuple(_wanted(state, rules, policies, consequences, use))
    if len(wanted) > MAX_LICENSES:
        problem = f"The order is for more than {MAX_LICENSES:,} licenses, so none was issued."
        return Decision(OrderStatus.OPEN, lines, None, problem)
    problem = _UNMATCHED if is_unmatched else None
    return Decision(
        _status(state, consequences, is_unmatched=is_unmatched), lines, wanted, problem, due_at
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


def _use(
    state: OrderState, consequences: Consequences, now: datetime
) -> tuple[Use, datetime | None]:
    """What the licenses of an order may be used for, and when that changes by itself."""
    revoked = (state.is_refunded and consequences.on_refund is Consequence.REVOKE) or (
        state.was_disputed and consequences.on_dispute is Consequence.REVOKE
    )
    if revoked:
        return Use.REVOKED, None
    suspended = (state.is_unpaid and consequences.on_refund is Consequence.SUSPEND) or (
        state.is_disputed and consequences.on_dispute is Consequence.SUSPEND
    )
    if suspended:
        return Use.SUSPENDED, None
    if state.failing_since is None or (
        consequences.on_payment_failed is PaymentFailureConsequence.NOTHING
    ):
        return Use.ACTIVE, None
    due_at = state.failing_since + timedelta(days=consequences.grace_days)
    return (Use.SUSPENDED, None) if due_at <= now else (Use.ACTIVE, due_at)


def _wanted(
    state: OrderState,
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    consequences: Consequences,
    use: Use,
) -> Iterator[Wanted]:
    """The licenses of what the buyer has, and suspended ones for what they had beyond that."""

    def plans(lines: Sequence[SoldLine]) -> list[Plan]:
        found: list[Plan] = []
        for line in lines:
            rule = rule_for(rules, line.product, line.price)
            policy = (
                None if rule is None or rule.policy_id is None else policies.get(rule.policy_id)
            )
            if rule is not None and policy is not None:
                found += _plans(line, rule, policy, state, consequences)
        return found

    present = plans(state.lines)
    yield from (Wanted(plan, use) for plan in present)
    unused = Use.REVOKED if use is Use.REVOKED else Use.SUSPENDED
    for family, most in _most(map(plans, state.statements)).items():
        held = sum(plan.family == family for plan in present)
        yield from (Wanted(plan, unused) for plan in most[held:])


def _most(statements: Iterator[list[Plan]]) -> dict[tuple[UUID, str], list[Plan]]:
    """Of each family, the licenses at the time when the buyer had most of it."""
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
        ends_at=line.paid_until or _end_by_policy(line, policy),
        grace_days=max(policy.grace_days, renewal_grace_days),
        issued_to=buyer.email,
        begins=line.begins if line.paid_until is None else None,
        renewal_grace_days=renewal_grace_days,
    )
    return [plan] * (1 if has_seats else min(line.quantity, MAX_LICENSES + 1))


def _end_by_policy(line: SoldLine, policy: Policy) -> datetime | None:
    """The end of a term of the policy, which began when it was paid."""
    if policy.duration_days is None or policy.term_starts is TermStart.FIRST_USE:
        return None
    return line.begins + timedelta(days=policy.duration_days)


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


def steps(held: Sequence[Held], wanted: Sequence[Wanted]) -> Steps:
    """Return the steps to what is wanted; what changes least is used first.

    Nothing more is issued to a buyer who was erased.
    """
    found = Steps()
    left = defaultdict(list)
    for item in held:
        left[item.plan.family].append(item)
    open_wishes = list(wanted)
    for is_match in _MATCHES:
        unmet: list[Wanted] = []
        for wish in open_wishes:
            candidates = left[wish.plan.family]
            match = next((item for item in candidates if is_match(item, wish)), None)
            if match is None:
                unmet.append(wish)
                continue
            candidates.remove(match)
            if (match.plan, match.use) != (wish.plan, wish.use):
                found.change.append((match, wish))
        open_wishes = unmet
    found.issue = [wish for wish in open_wishes if wish.plan.issued_to != ERASED_ADDRESS]
    found.unused = [item for items in left.values() for item in items]
    return found


_MATCHES: tuple[Callable[[Held, Wanted], bool], ...] = (
    lambda held, wanted: (held.plan, held.use) == (wanted.plan, wanted.use),
    lambda held, wanted: held.use == wanted.use and _order(held.plan) == _order(wanted.plan),
    lambda held, wanted: held.use == wanted.use,
    lambda held, wanted: _order(held.plan) == _order(wanted.plan),
    lambda *_: True,
)
"""How a license that an order has can be one that it is to have, best first."""

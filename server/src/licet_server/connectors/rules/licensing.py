"""Derives the desired licenses of an order.

A license of an order is never issued twice: one that the buyer no longer has is suspended, and
reused when they buy more. A revocation is undone, too, when what it followed from is undone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.connectors.rules.facts import Sold
from licet_server.connectors.rules.holdings import SoldLine
from licet_server.connectors.rules.model import (
    Consequence,
    Consequences,
    OrderLine,
    OrderStatus,
    PaymentFailureConsequence,
    QuantityMeaning,
    Renewal,
    SaleRule,
    rule_for,
)
from licet_server.connectors.rules.orders import OrderState
from licet_server.connectors.rules.payments import Disputed
from licet_server.kit.dates import Period
from licet_server.kit.text import quoted
from licet_server.licenses.rules.policies import Policy, TermStart

MAX_LICENSES = 1_000
"""The maximum of an order; more licenses are considered a mistake."""


class LicenseState(StrEnum):
    """The state that an order requires of a license."""

    ACTIVE = "Active"
    SUSPENDED = "Suspended"
    REVOKED = "Revoked"


class Plan(Struct, frozen=True, kw_only=True):
    """The terms of a license.

    `seats`, `ends_at` and `updates_until` are `None` where the policy decides. `begins` is when a
    term began whose length the policy decides. `periods` and `update_periods` are what each payment
    bought by the policy, of the term and of updates, and `renewal_grace_days` is the part of the
    grace that the connector decides. `sold` is the item that the license is for. `renewals` are the
    payments for further terms. `paid_at` is when each payment was made whose term begins with the
    first use, or follows on the one that did. Plans that were stored before have none of them.
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
    periods: dict[str, Period] = {}
    sold: Sold | None = None
    renewals: tuple[str, ...] | None = None
    updates_until: datetime | None = None
    update_periods: dict[str, Period] = {}
    paid_at: dict[str, datetime] = {}

    @property
    def unused_term(self) -> Period:
        """The paid term that begins with the first use; empty if none does."""
        return joined(self.periods[name] for name in self.paid_at)

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

    `licenses` is `None` while that is undecided: then nothing changes. `deadlines` are when the
    licenses of products change without new events.
    """

    status: OrderStatus
    lines: tuple[OrderLine, ...]
    licenses: tuple[DesiredLicense, ...] | None
    problem: str | None = None
    deadlines: Mapping[UUID, datetime] = field(default_factory=dict)


def decide(
    state: OrderState,
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    consequences: Consequences,
    now: datetime,
    held: Sequence[Plan] = (),
    zone: tzinfo = UTC,
    clocks: Mapping[UUID, datetime] = MappingProxyType({}),
) -> Decision:
    """Return the result of an order at `now`; `held` are the plans of the licenses that it has.

    Terms of policies end by the calendar of `zone`. `rules` are those for the mode of the order.
    `clocks` are the instants of the products that go by test clocks instead of by `now`.

    An item without a matching rule adds no license, and removes none.
    """
    terms = _Terms(state, rules, policies, consequences, *_known_periods(held), zone)
    shown = _shown(state, consequences)
    found = [(line, rule_for(rules, line.product, line.price)) for line in shown]
    lines = tuple(_order_line(line, rule, policies) for line, rule in found)
    is_unmatched = any(not _is_settled(rule, policies) for _, rule in found)
    if state.is_test and state.paid_at is not None and not any(_policies(found, policies)):
        status = _status(state, terms, is_unmatched=False)
        status = OrderStatus.OPEN if status is OrderStatus.FULFILLED else status
        return Decision(status, lines, None, _TEST)
    if problem := _problem(state):
        return Decision(_status(state, terms, is_unmatched=False), lines, None, problem)
    desired, deadlines = _desired(terms, now, clocks)
    if len(desired) > MAX_LICENSES:
        problem = f"The order is for more than {MAX_LICENSES:,} licenses, so none was issued."
        return Decision(OrderStatus.OPEN, lines, None, problem)
    problem = _UNMATCHED if is_unmatched else _INCOMPLETE if state.lacks_lines else None
    status = _status(state, terms, is_unmatched=is_unmatched)
    return Decision(status, lines, desired, problem, deadlines)


def _policies(
    found: Sequence[tuple[SoldLine, SaleRule | None]], policies: Mapping[UUID, Policy]
) -> Iterator[Policy | None]:
    return (
        policies.get(rule.policy_id)
        for _, rule in found
        if rule is not None and rule.policy_id is not None
    )


def _shown(state: OrderState, consequences: Consequences) -> tuple[SoldLine, ...]:
    is_ignored = consequences.on_refund is Consequence.NOTHING
    return state.all.lines if is_ignored else state.lines


_UNMATCHED = "No rule matches what was bought."
_TEST = (
    "It was paid in test mode, and no rule names a policy of a Test product for it. Add such a "
    "rule, sell it in live mode, or issue the license yourself."
)
UNUSABLE = "No mail can be sent to the buyer's email address: "
"""How the problem of an order begins that goes on with an address."""
_INCOMPLETE = (
    "Lines are missing: the invoice has more than the event carries. Give the connector the apiKey "
    "of the shop, so that the rest is fetched."
)


def _problem(state: OrderState) -> str | None:
    if state.paid_at is None:
        return None
    if not state.lines:
        return "No event has said yet what was sold."
    if state.buyer is not None and state.buyer.email is not None:
        return None
    if state.buyer is not None and state.buyer.unusable is not None:
        return f"{UNUSABLE}{quoted(state.buyer.unusable)}. Give the order an address that works."
    return (
        "No event has said yet what the buyer's email address is. Give the order an address, or "
        "give the connector the apiKey of the shop, so that it is asked."
    )


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


def _status(state: OrderState, terms: "_Terms", *, is_unmatched: bool) -> OrderStatus:
    if state.paid_at is None:
        return OrderStatus.CANCELED if state.is_ending else OrderStatus.OPEN
    if state.refunded_at is not None and not terms.standing():
        return OrderStatus.REFUNDED
    if is_unmatched:
        return OrderStatus.UNMATCHED
    if state.lacks_lines:
        return OrderStatus.OPEN
    if state.is_ending:
        return OrderStatus.CANCELED
    return OrderStatus.OPEN if _problem(state) else OrderStatus.FULFILLED


_KnownPeriods = Mapping[tuple[UUID, str], Period]


def _known_periods(held: Sequence[Plan]) -> tuple[_KnownPeriods, _KnownPeriods]:
    """Return what payments bought that were counted before, of terms and of updates."""
    terms = {
        (plan.policy_id, name): period for plan in held for name, period in plan.periods.items()
    }
    updates = {
        (plan.policy_id, name): period
        for plan in held
        for name, period in plan.update_periods.items()
    }
    return terms, updates


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the items of an order mean under the rules."""

    state: OrderState
    rules: Sequence[SaleRule]
    policies: Mapping[UUID, Policy]
    consequences: Consequences
    known: _KnownPeriods
    known_updates: _KnownPeriods
    zone: tzinfo

    def plans(self, lines: Sequence[SoldLine]) -> list[Plan]:
        """Return the licenses for these items."""
        plans = [plan for line in lines for plan in self._plans(line, Renewal.TERM)]
        for line in lines:
            for plan in self._plans(line, Renewal.UPDATES):
                same = [number for number, it in enumerate(plans) if _is_maintained_by(it, plan)]
                for number in same:
                    plans[number] = _maintained(plans[number], plan)
                plans += [] if same else [plan]
        return plans

    def standing(self) -> list[SoldLine]:
        """Return the items that are paid for, or were as long as without the refunds."""
        refunded_at = self.state.refunded_at
        if refunded_at is None:
            return list(self.state.standing.lines)
        ends = {line.sold: self.end(line) for line in self.state.all.lines}
        last = max((end for end in ends.values() if end is not None), default=None)

        def stands(line: SoldLine) -> bool:
            end = self.end(line)
            return end is None or end > refunded_at or end == ends.get(line.sold, last)

        return [line for line in self.state.standing.lines if stands(line)]

    def families(self, sold: Collection[Sold]) -> set[tuple[UUID, str]]:
        """Return the families of licenses for these prices."""
        policies = [self._rule_and_policy(*item)[1] for item in sold]
        return {(found.product_id, found.type.value) for found in policies if found is not None}

    def disputed(self, said: Disputed) -> Disputed:
        """Return the items that have what was paid with disputed money.

        It is the whole order where that cannot be told: of an item that the buyer no longer has, or
        that prolongs the updates of another one.
        """
        hit: set[Sold] = set()
        known: set[Sold] = set()
        for line in self.state.all.lines:
            names = {line.sold, *(item.sold for item in line.purchases)}
            known |= names
            if not names.isdisjoint(said.sold):
                hit.add(line.sold)
        licensed = [sold for sold in said.sold if self._rule_and_policy(*sold)[1] is not None]
        is_told = all(sold in known and not self._renews_updates(sold) for sold in licensed)
        return Disputed(frozenset(hit), said.is_whole or not is_told)

    def _renews_updates(self, sold: Sold) -> bool:
        rule, _ = self._rule_and_policy(*sold)
        return rule is not None and rule.renews is Renewal.UPDATES

    def end(self, line: SoldLine) -> datetime | None:
        """Return the end of what is paid for an item."""
        rule, policy = self._rule_and_policy(*line.sold)
        if rule is not None and rule.renews is Renewal.UPDATES:
            return self._end_of_updates(line, policy)
        return self._end(line, policy)

    def _end_of_updates(self, line: SoldLine, policy: Policy | None) -> datetime | None:
        end = line.end(*self._update_periods(policy), self.zone)
        return end or (line.ended_at if line.recurs else None)

    def _update_periods(self, policy: Policy | None) -> tuple[Period | None, dict[str, Period]]:
        if policy is None:
            return None, {}
        known = {
            name: period for (id_, name), period in self.known_updates.items() if id_ == policy.id
        }
        period = None if policy.updates_days is None else Period(days=policy.updates_days)
        return period, known

    def _end(self, line: SoldLine, policy: Policy | None) -> datetime | None:
        if policy is not None and policy.term_starts is TermStart.FIRST_USE:
            return line.paid_until
        end = line.end(*self._periods(policy), self.zone)
        return end or (line.ended_at if line.recurs else None)

    def _periods(self, policy: Policy | None) -> tuple[Period | None, dict[str, Period]]:
        if policy is None:
            return None, {}
        known = {name: period for (id_, name), period in self.known.items() if id_ == policy.id}
        return policy.duration, known

    def _rule_and_policy(
        self, product: str | None, price: str | None
    ) -> tuple[SaleRule | None, Policy | None]:
        rule = rule_for(self.rules, product, price)
        if rule is None or rule.policy_id is None:
            return rule, None
        return rule, self.policies.get(rule.policy_id)

    def _plans(self, line: SoldLine, renews: Renewal) -> Iterator[Plan]:
        rule, policy = self._rule_and_policy(*line.sold)
        if rule is None or policy is None or rule.renews is not renews:
            return
        if renews is Renewal.UPDATES:
            has_seats = rule.quantity_as is QuantityMeaning.SEATS
            plan = self._updates_plan(line, policy, line.quantity if has_seats else None)
            yield from [plan] * (1 if has_seats else min(line.quantity, MAX_LICENSES + 1))
            return
        if rule.quantity_as is QuantityMeaning.SEATS:
            yield self._plan(line, policy, seats=line.quantity)
            return
        if line.recurs:
            plan = self._plan(line, policy, None)
            for number in range(min(line.quantity, MAX_LICENSES + 1)):
                yield _plan_of_one(plan, line, number)
            return
        for bought in line.purchases:
            plan = self._plan(replace_fields(line, purchases=(bought,)), policy, None)
            yield from [plan] * min(bought.quantity, MAX_LICENSES + 1)

    def _plan(self, line: SoldLine, policy: Policy, seats: int | None) -> Plan:
        state = self.state
        is_renewed = line.recurs and line.paid_until is not None and line.ended_at is None
        renewal_grace_days = self.consequences.grace_days if is_renewed else 0
        period, known = self._periods(policy)
        bought = {} if period is None else dict.fromkeys(_without_end(line), period)
        terms = [item.payment for item in line.purchases if not item.is_supplement]
        ends_at = self._end(line, policy)
        is_unused = policy.term_starts is TermStart.FIRST_USE and ends_at is None
        return Plan(
            policy_id=policy.id,
            product_id=policy.product_id,
            model=policy.type.value,
            seats=seats,
            ends_at=ends_at,
            grace_days=max(policy.grace_days, renewal_grace_days),
            issued_to=(state.buyer and state.buyer.email) or "",
            begins=line.begins if line.paid_until is None else None,
            renewal_grace_days=renewal_grace_days,
            periods={**bought, **{name: known[name] for name in bought if name in known}},
            sold=line.sold,
            renewals=tuple(dict.fromkeys(terms[1:])) if line.recurs else (),
            paid_at={it.payment: it.begins for it in line.purchases if is_unused and period},
        )

    def _updates_plan(self, line: SoldLine, policy: Policy, seats: int | None) -> Plan:
        period, known = self._update_periods(policy)
        bought = {} if period is None else dict.fromkeys(_without_end(line), period)
        return Plan(
            policy_id=policy.id,
            product_id=policy.product_id,
            model=policy.type.value,
            seats=seats,
            ends_at=None,
            grace_days=policy.grace_days,
            issued_to=(self.state.buyer and self.state.buyer.email) or "",
            sold=line.sold,
            renewals=(),
            updates_until=self._end_of_updates(line, policy),
            update_periods={**bought, **{name: known[name] for name in bought if name in known}},
        )


def _plan_of_one(plan: Plan, line: SoldLine, number: int) -> Plan:
    """Return the plan of one of several licenses, with the terms that were paid for as many."""
    if not plan.paid_at:
        return plan
    paid = [item.payment for item in line.purchases if item.quantity > number]
    paid = paid or [line.purchases[-1].payment]
    return replace(
        plan,
        periods={name: plan.periods[name] for name in paid},
        paid_at={name: plan.paid_at[name] for name in paid},
    )


def joined(periods: Iterable[Period]) -> Period:
    """Return terms in a row as one, in days or in months.

    Where some have days, a month counts as its longest, so that nothing paid is lost.
    """
    found = list(periods)
    days, months = sum(it.days for it in found), sum(it.months for it in found)
    return Period(days=days + 31 * months) if days else Period(months=months)


def _is_maintained_by(plan: Plan, updates: Plan) -> bool:
    """Return whether updates are for the license of a plan, which an item of its own bought."""
    return plan.policy_id == updates.policy_id and plan.sold != updates.sold


def _maintained(plan: Plan, updates: Plan) -> Plan:
    ends = [end for end in (plan.updates_until, updates.updates_until) if end is not None]
    return replace(
        plan,
        updates_until=max(ends, default=None),
        update_periods={**plan.update_periods, **updates.update_periods},
    )


def _without_end(line: SoldLine) -> list[str]:
    return [item.payment for item in line.purchases if item.until is None]


def _desired(
    terms: _Terms, now: datetime, clocks: Mapping[UUID, datetime]
) -> tuple[tuple[DesiredLicense, ...], dict[UUID, datetime]]:
    """Return the licenses of the buyer, and when those of products change without a new event.

    What the buyer no longer has is suspended. What only a refunded payment bought is revoked, or
    suspended if another payment of its term stands.
    """
    state, on_refund = terms.state, terms.consequences.on_refund
    is_ignored = on_refund is Consequence.NOTHING
    whole = terms.plans(state.all.lines)
    present = whole if is_ignored else terms.plans(terms.standing())
    found: list[DesiredLicense] = []
    deadlines: dict[UUID, datetime] = {}
    disputed = _disputed(terms)
    for plan in present:
        at = clocks.get(plan.product_id, now)
        license_state, due_at = _state(state, terms.consequences, disputed, plan, at)
        found.append(DesiredLicense(plan, license_state))
        if due_at is not None:
            deadlines[plan.product_id] = min(due_at, deadlines.get(plan.product_id, due_at))
    kept = {plan.family for plan in present} | terms.families(state.standing.unsupported)
    is_final = terms.consequences.on_dispute is Consequence.REVOKE
    most = _most(terms.plans(lines) for lines in state.all.statements)
    for family, plans in most.items():
        current = sum(plan.family == family for plan in present)
        is_refunded = any(plan.family == family for plan in whole) and family not in kept
        is_revoked = is_refunded and on_refund is Consequence.REVOKE
        for plan in plans[current:]:
            is_lost = is_revoked or (is_final and disputed.includes(plan.sold))
            unused = LicenseState.REVOKED if is_lost else LicenseState.SUSPENDED
            found.append(DesiredLicense(plan, unused))
    return tuple(found), deadlines


def _disputed(terms: _Terms) -> Disputed:
    """Return what the licenses follow of disputes; one that is won changes no revocation."""
    match terms.consequences.on_dispute:
        case Consequence.REVOKE:
            return terms.disputed(terms.state.ever_disputed)
        case Consequence.SUSPEND:
            return terms.disputed(terms.state.disputed)
        case Consequence.NOTHING:
            return Disputed()


def _state(
    state: OrderState, consequences: Consequences, disputed: Disputed, plan: Plan, now: datetime
) -> tuple[LicenseState, datetime | None]:
    """Return the state of a license that is paid for, and when that changes without a new event.

    A failed payment suspends no license before the end that is paid for it, and none without an
    end whose updates it would have renewed.
    """
    if disputed.includes(plan.sold):
        is_final = consequences.on_dispute is Consequence.REVOKE
        return LicenseState.REVOKED if is_final else LicenseState.SUSPENDED, None
    is_kept = plan.ends_at is None and plan.updates_until is not None
    if (
        state.failing_since is None
        or is_kept
        or consequences.on_payment_failed is PaymentFailureConsequence.NOTHING
    ):
        return LicenseState.ACTIVE, None
    due_at = state.failing_since + timedelta(days=consequences.grace_days)
    due_at = due_at if plan.ends_at is None else max(due_at, plan.ends_at)
    return (LicenseState.SUSPENDED, None) if due_at <= now else (LicenseState.ACTIVE, due_at)


def _most(statements: Iterable[list[Plan]]) -> dict[tuple[UUID, str], list[Plan]]:
    """Return the most licenses that the buyer had at any time, by family, with their last terms."""
    found: dict[tuple[UUID, str], list[Plan]] = {}
    for plans in statements:
        for family in dict.fromkeys(plan.family for plan in plans):
            here = sorted((plan for plan in plans if plan.family == family), key=order_of)
            before = found.get(family, [])
            if (len(here), [order_of(plan) for plan in here]) >= (
                len(before),
                [order_of(plan) for plan in before],
            ):
                found[family] = here
    return found


def order_of(plan: Plan) -> tuple[str, int]:
    """Return the sort key of plans: by policy, then by seats."""
    return str(plan.policy_id), plan.seats or 0

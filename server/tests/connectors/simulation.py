"""A year of customers who subscribe, upgrade, fail to pay, get refunds, and dispute.

Their events are delivered in order and once, or late, shuffled and up to three times.
"""

import random  # noqa: TID251 - seeded, so that a failure can be repeated
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from connectors.shops import Sent, Shop

from licet_server.connectors.rules.changing import steps
from licet_server.connectors.rules.facts import Fact, FactKind
from licet_server.connectors.rules.licensing import CurrentLicense, LicenseState, decide
from licet_server.connectors.rules.model import (
    ConnectorKind,
    Consequences,
    OrderStatus,
    QuantityMeaning,
    SaleRule,
)
from licet_server.connectors.rules.orders import link, order_state, stamp
from licet_server.connectors.rules.providers import fact_of, received_event
from licet_server.licenses.rules.policies import Policy, TermStart
from licet_server.licenses.rules.traits import LicenseType

BEGIN = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)
END = BEGIN + timedelta(days=420)
LATEST = timedelta(days=40)
"""How late an event may come."""


def policy(number: int, product: int, kind: LicenseType = LicenseType.SUBSCRIPTION) -> Policy:
    return Policy(
        institution_id=UUID(int=1),
        id=UUID(int=number),
        product_id=UUID(int=product),
        name=f"Policy {number}",
        type=kind,
        duration_days=None,
        duration_months=None,
        term_starts=TermStart.ISSUE,
        grace_days=0,
        max_active_users_count=None,
        activation_mode=None,
        device_binding_mode=None,
        entitlement_set_id=None,
        initial_meter_balance=None,
        license_name_pattern=None,
        metadata={},
        created_at=BEGIN,
        updated_at=BEGIN,
    )


BASIC, PRO, TEAM, OTHER = (
    policy(11, 1),
    policy(12, 1),
    policy(13, 1, LicenseType.FLOATING),
    policy(14, 2),
)
POLICIES = {item.id: item for item in (BASIC, PRO, TEAM, OTHER)}
RULES = (
    SaleRule(product="prod_app", price="price_basic", policy_id=BASIC.id),
    SaleRule(product="prod_app", price="price_pro", policy_id=PRO.id),
    SaleRule(price="price_team", policy_id=TEAM.id, quantity_as=QuantityMeaning.SEATS),
    SaleRule(product="prod_app", policy_id=OTHER.id),
)
PLANS = ("basic", "pro", "team", "other")


def live_a_year(shop: Shop, chance: random.Random) -> None:
    """Let a customer live through a year, more or less."""
    shop.buy()
    for _ in range(chance.randint(0, 11)):
        event = chance.random()
        if event < 0.15:
            shop.wait(days=chance.randint(1, 20))
            shop.change(chance.choice(PLANS), chance.randint(1, 4))
        elif event < 0.3:
            shop.fail()
            shop.wait(days=chance.randint(1, 12))
            if chance.random() < 0.3:
                shop.cancel()
                return
        elif event < 0.35:
            shop.dispute()
            shop.wait(days=5)
            if chance.random() < 0.5:
                shop.win()
        elif event < 0.4:
            shop.refund()
            shop.cancel()
            return
        elif event < 0.45:
            shop.cancel()
            return
        shop.renew()


def customers(number: int, seed: int, begin: datetime = BEGIN) -> list[Shop]:
    """Customers of all shops, with what the shops have sent about them in a year."""
    chance = random.Random(seed)
    kinds = list(ConnectorKind)
    shops = []
    for at in range(number):
        start = begin + timedelta(days=chance.randint(0, 40), seconds=at)
        name = f"c{seed}x{at}"
        plan = chance.choice(PLANS)
        shop = Shop(
            kinds[at % len(kinds)],
            name,
            f"{name}@example.com",
            start,
            plan=plan,
            quantity=chance.randint(1, 3),
        )
        live_a_year(shop, chance)
        shops.append(shop)
    return shops


def delivered(sent: Iterable[Sent], seed: int) -> list[tuple[datetime, Sent]]:
    """The messages as a bad network delivers them: each up to three times, late, in any order."""
    chance = random.Random(seed)
    arrivals: list[tuple[float, int, Sent]] = []
    number = count()
    for item in sent:
        for _ in range(chance.randint(1, 3)):
            late = LATEST.total_seconds() * chance.random() ** 4
            arrivals.append((item.at.timestamp() + late, next(number), item))
    found = sorted(arrivals, key=lambda arrival: arrival[:2])
    return [(datetime.fromtimestamp(at, UTC), item) for at, _, item in found]


@dataclass
class World:
    """One connector, in memory: what the jobs do with the database, done with dictionaries.

    Where the present stands still, the products go by clocks.
    """

    kind: ConnectorKind
    consequences: Consequences = field(default_factory=Consequences)
    rules: Sequence[SaleRule] = RULES
    policies: Mapping[UUID, Policy] = field(default_factory=lambda: POLICIES)
    facts: dict[str, Fact] = field(default_factory=dict)
    order_of: dict[str, UUID] = field(default_factory=dict)
    known: dict[str, UUID] = field(default_factory=dict)
    held: dict[UUID, list[CurrentLicense]] = field(default_factory=dict)
    status: dict[UUID, OrderStatus] = field(default_factory=dict)
    names: dict[UUID, str] = field(default_factory=dict)
    buyers: dict[str, Fact] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    present: datetime | None = None

    def new_id(self) -> UUID:
        return UUID(int=next(self.ids))

    def receive(self, sent: Sent, now: datetime) -> None:
        headers = {"webhook-id": sent.message_id}
        external_id = received_event(self.kind, headers, sent.raw).external_id
        fact = fact_of(self.kind, external_id, sent.raw)
        if fact is None or external_id in self.facts:
            return
        self.facts[external_id] = fact
        if fact.kind is FactKind.BUYER:
            if fact.buyer and fact.buyer.reference and fact.buyer.email:
                before = self.buyers.get(fact.buyer.reference)
                if before is None or before.time < fact.time:
                    self.buyers[fact.buyer.reference] = fact
            for order_id in list(self.held):
                self.settle(order_id, now)
            return
        event_id = self.new_id()
        links = link([(event_id, fact.references)], self.known, self.new_id)
        self.known |= links.references
        for merged, into in links.merged.items():
            self.known = {name: into if it == merged else it for name, it in self.known.items()}
            self.order_of = {
                name: into if it == merged else it for name, it in self.order_of.items()
            }
            self.held.setdefault(into, []).extend(self.held.pop(merged, []))
            self.status.pop(merged, None)
        self.order_of[external_id] = links.orders[event_id]
        self.settle(links.orders[event_id], now)

    def settle(self, order_id: UUID, now: datetime) -> None:
        facts = [self.facts[name] for name, it in self.order_of.items() if it == order_id]
        current = self.held.setdefault(order_id, [])
        state = order_state(facts)
        buyer = state.buyer
        if buyer and buyer.reference in self.buyers:
            known = self.buyers[buyer.reference]
            state = state.with_buyer(known.buyer, stamp(known.occurred_at))
        plans = [item.plan for item in current]
        clocks = {it.product_id: now for it in self.policies.values()} if self.present else {}
        decision = decide(
            state,
            self.rules,
            self.policies,
            self.consequences,
            self.present or now,
            plans,
            clocks=clocks,
        )
        self.status[order_id] = decision.status
        self.names[order_id] = state.external_id
        if decision.licenses is None:
            return
        todo = steps(current, decision.licenses)
        for match, target in todo.change:
            place = next(at for at, it in enumerate(current) if it is match)
            current[place] = CurrentLicense(match.license_id, target.plan, target.state)
        for item in todo.unused:
            current[current.index(item)] = CurrentLicense(
                item.license_id, item.plan, LicenseState.SUSPENDED
            )
        for target in todo.issue:
            current.append(CurrentLicense(self.new_id(), target.plan, target.state))

    def settle_all(self, now: datetime) -> None:
        for order_id in list(self.held):
            self.settle(order_id, now)

    def outcome(self) -> dict[str, Any]:
        """What is left at the end. What a license was when it was revoked does not matter."""
        return {
            self.names[order_id]: (self.status[order_id], sorted(map(_told, current), key=str))
            for order_id, current in self.held.items()
        }


def _told(current: CurrentLicense) -> Any:
    if current.state is LicenseState.REVOKED:
        return (current.plan.product_id, current.state)
    return (current.plan, current.state)

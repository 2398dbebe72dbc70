"""Connectors, their rules, the events that they receive, orders, and what these brought in."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from msgspec import Struct

from licet_server.kit.errors import FieldError
from licet_server.licenses.rules.policies import Policy

MAX_RULES = 200
MAX_GRACE_DAYS = 365


class ConnectorKind(StrEnum):
    """The provider; `Generic` is any that sends Standard Webhooks messages."""

    STRIPE = "Stripe"
    PADDLE = "Paddle"
    LEMON_SQUEEZY = "LemonSqueezy"
    GENERIC = "Generic"


class Consequence(StrEnum):
    """What a refund, a dispute or a failed payment does to the licenses of an order."""

    REVOKE = "Revoke"
    SUSPEND = "Suspend"
    NOTHING = "Nothing"


class PaymentFailureConsequence(StrEnum):
    """What a failed payment does to the licenses of an order after the grace period."""

    SUSPEND = "Suspend"
    NOTHING = "Nothing"


class QuantityMeaning(StrEnum):
    """What a quantity above 1 means: that many licenses, or that many seats of one license."""

    LICENSES = "Licenses"
    SEATS = "Seats"


class Renewal(StrEnum):
    """What a payment prolongs: the term of a license, or its updates (`updatesUntil`)."""

    TERM = "Term"
    UPDATES = "Updates"


class SaleRule(Struct, frozen=True, kw_only=True, rename="camel"):
    """The policy for sold items that match; without a policy, they get no license.

    A rule without a product or a price matches any. What `renews` updates adds no license to an
    order that has one under the same policy: it prolongs the updates of that one.
    """

    product: str | None = None
    price: str | None = None
    policy_id: UUID | None = None
    quantity_as: QuantityMeaning = QuantityMeaning.LICENSES
    renews: Renewal = Renewal.TERM


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """What a connector does besides issuing licenses.

    A subscription stays valid for `grace_days` after its paid term, so that a renewal can be paid.
    The same number of days after a failed payment, its licenses are suspended.
    """

    on_refund: Consequence = Consequence.REVOKE
    on_dispute: Consequence = Consequence.SUSPEND
    on_payment_failed: PaymentFailureConsequence = PaymentFailureConsequence.SUSPEND
    grace_days: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Connector:
    """A connection to a provider. The previous signing secret is valid until `previous_until`.

    `last_rejection` is why a message was last rejected, as far as that was noted.
    """

    institution_id: UUID
    id: UUID
    kind: ConnectorKind
    name: str
    is_enabled: bool
    rules: tuple[SaleRule, ...]
    on_refund: Consequence
    on_dispute: Consequence
    on_payment_failed: PaymentFailureConsequence
    grace_days: int
    previous_until: datetime | None
    has_api_key: bool
    api_url: str | None
    last_rejected_at: datetime | None
    last_rejection: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_sandbox(self) -> bool:
        """Whether all its sales are tests: Paddle has no mark for that in its events."""
        host = urlsplit(self.api_url or "").hostname or ""
        return self.kind is ConnectorKind.PADDLE and host.startswith("sandbox-")

    def is_rejecting(self, last_event_at: datetime | None) -> bool:
        """Return whether its last message was rejected, given when it last accepted one."""
        at = self.last_rejected_at
        return at is not None and (last_event_at is None or last_event_at <= at)

    @property
    def consequences(self) -> Consequences:
        """What the connector does besides issuing licenses."""
        return Consequences(
            on_refund=self.on_refund,
            on_dispute=self.on_dispute,
            on_payment_failed=self.on_payment_failed,
            grace_days=self.grace_days,
        )


class InboxEventStatus(StrEnum):
    """The state of an event: `Ignored` is not about orders, `Failed` cannot be read."""

    PENDING = "Pending"
    PROCESSED = "Processed"
    IGNORED = "Ignored"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxEvent:
    """An event as received. `external_id` is the provider's ID, unique within a connector."""

    institution_id: UUID
    id: UUID
    connector_id: UUID
    external_id: str
    type: str
    occurred_at: datetime | None
    received_at: datetime
    status: InboxEventStatus
    error: str | None
    order_id: UUID | None
    body: str


@dataclass(frozen=True, slots=True)
class InboxFilter:
    """The filters of a list of events; `None` does not filter."""

    status: InboxEventStatus | None = None
    order_id: UUID | None = None


class OrderStatus(StrEnum):
    """The state of an order.

    `Open`: not paid yet, or it cannot be fulfilled for the reason in `problem`. `Unmatched`: no
    rule matches a sold item. `Canceled`: ends with the paid term.
    """

    OPEN = "Open"
    FULFILLED = "Fulfilled"
    REFUNDED = "Refunded"
    CANCELED = "Canceled"
    UNMATCHED = "Unmatched"


class OrderLine(Struct, frozen=True, kw_only=True, rename="camel"):
    """A sold item, and the policy that a rule assigned to it."""

    product: str | None
    price: str | None
    quantity: int
    policy_id: UUID | None = None
    ends_at: datetime | None = None


class PaymentKind(StrEnum):
    """Why money moved: for a first sale or more of it, for the same again, or back to the buyer."""

    NEW = "New"
    RENEWAL = "Renewal"
    REFUND = "Refund"


@dataclass(frozen=True, slots=True)
class Payment:
    """What was paid for an order at once, or paid back, in the unit of the currency.

    `happened_at` is when, as the shop says. A refund that failed later is one below 0.
    """

    kind: PaymentKind
    happened_at: datetime
    amount: Decimal
    currency: str

    @property
    def gained(self) -> Decimal:
        """Return what the vendor has more than before, which is below 0 for a refund."""
        return -self.amount if self.kind is PaymentKind.REFUND else self.amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A sale or a subscription.

    `external_id` is the provider's ID, and `due_at` when it is processed next without a new event.
    `problem` says why it is not fulfilled. `email` is the buyer's address, by the provider or, as
    long as that names none, by an operator. `amount` is what was paid in all. `disputed_at` is when
    the buyer began to dispute a payment; a dispute that is won is none.
    """

    institution_id: UUID
    id: UUID
    connector_id: UUID
    external_id: str
    customer_id: UUID | None
    email: str | None
    amount: Decimal | None
    currency: str | None
    refunded_amount: Decimal | None
    disputed_at: datetime | None
    is_test: bool
    status: OrderStatus
    problem: str | None
    lines: tuple[OrderLine, ...]
    due_at: datetime | None
    attempts: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class PoliciesOfProduct:
    """Which policies are of a product, and which of others, among those that orders may name."""

    own: Collection[str]
    others: Collection[str] = ()

    @classmethod
    def among(cls, policies: Iterable[tuple[UUID, UUID]], product_id: UUID) -> "PoliciesOfProduct":
        """Sort policies, each with its product, into those of a product and the others."""
        known = list(policies)
        return cls(
            [str(policy) for policy, of in known if of == product_id],
            [str(policy) for policy, of in known if of != product_id],
        )


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """The filters of a list; `None` does not filter.

    An order is of each period in which it was paid or paid back, and without an amount of the one
    in which it was created. With `paid_in`, a currency, it is only of those in which it was paid
    in that.

    An order is of a product if a line is under one of its `policies`, and if it `is_alone`, none
    under those of others.
    """

    connector_id: UUID | None = None
    customer_id: UUID | None = None
    license_id: UUID | None = None
    product_id: UUID | None = None
    is_alone: bool = False
    policies: PoliciesOfProduct | None = None
    paid_in: str | None = None
    status: OrderStatus | None = None
    has_problem: bool | None = None
    is_disputed: bool | None = None
    disputed_since: datetime | None = None
    is_test: bool | None = None
    search: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def rules_of_mode(
    rules: Sequence[SaleRule],
    policies: Mapping[UUID, Policy],
    tests: Collection[UUID],
    *,
    is_test: bool,
) -> list[SaleRule]:
    """Return the rules for sales of a mode, given the Test products.

    Sales of test mode buy licenses of Test products only, and others never do. A rule without a
    policy is for both.
    """
    return [
        rule
        for rule in rules
        if rule.policy_id is None or _is_for_tests(rule, policies, tests) is is_test
    ]


def _is_for_tests(rule: SaleRule, policies: Mapping[UUID, Policy], tests: Collection[UUID]) -> bool:
    policy = None if rule.policy_id is None else policies.get(rule.policy_id)
    return policy is not None and policy.product_id in tests


def rule_for(rules: Sequence[SaleRule], product: str | None, price: str | None) -> SaleRule | None:
    """Return the most specific rule that matches; a price is more specific than a product."""
    fitting = [
        rule for rule in rules if rule.product in {None, product} and rule.price in {None, price}
    ]
    return max(fitting, key=_precision, default=None)


def _precision(rule: SaleRule) -> tuple[bool, bool]:
    return rule.price is not None, rule.product is not None


def rules_breaches(
    rules: Sequence[SaleRule], policies: Mapping[UUID, Policy], tests: Collection[UUID]
) -> Iterator[FieldError]:
    """Yield the errors of rules. Rules may overlap, but no two of a mode match exactly the same."""
    first: dict[tuple[str | None, str | None, bool], int] = {}
    for at, rule in enumerate(rules):
        same = rule.product, rule.price, _is_for_tests(rule, policies, tests)
        other = first.setdefault(same, at)
        if other != at:
            message = f"is for the same product and price as rules[{other}]."
            yield FieldError(f"rules[{at}].match", message)
        for breach in rule_breaches(rule, policies):
            yield FieldError(f"rules[{at}].{breach.field}", breach.message)


def rule_breaches(rule: SaleRule, policies: Mapping[UUID, Policy]) -> Iterator[FieldError]:
    """Yield the errors of a single rule."""
    if rule.policy_id is None:
        return
    policy = policies.get(rule.policy_id)
    if policy is None:
        yield FieldError("policyId", "must be a policy of the institution.")
    elif rule.quantity_as is QuantityMeaning.SEATS and not policy.type.traits.seat_cap_required:
        yield FieldError(
            "quantityAs",
            f"must be Licenses: a license of the model {policy.type} has no seats to sell.",
        )


Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Sum:
    """What was paid in one currency, what of that for renewals, and what was paid back.

    `orders` is how many orders were paid for.
    """

    currency: str
    orders: int
    amount: Decimal
    renewals: Decimal
    refunded: Decimal

    @property
    def net(self) -> Decimal:
        """Return what is left of the amount, which is below 0 where more was paid back."""
        return self.amount - self.refunded

    def plus(self, other: "Sum") -> "Sum":
        """Return the sum of both, of one currency."""
        return Sum(
            self.currency,
            self.orders + other.orders,
            self.amount + other.amount,
            self.renewals + other.renewals,
            self.refunded + other.refunded,
        )


def summed(items: Iterable[tuple[Key, Sum]]) -> list[tuple[Key, Sum]]:
    """Return one sum for each key and currency, in the order in which they first occur."""
    found: dict[tuple[Key, str], Sum] = {}
    for key, item in items:
        before = found.get((key, item.currency))
        found[key, item.currency] = item if before is None else before.plus(item)
    return [(key, item) for (key, _), item in found.items()]

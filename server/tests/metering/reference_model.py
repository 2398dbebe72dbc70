"""Meters as plain Python: what the service must answer, and then hold.

Each method is one request. It changes the model as the service must change its tables. An answer
of an application is an `Answer`; what an operator does answers (status, code).
"""

from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, Self

Outcome = tuple[int, str | None]

OK: Outcome = (200, None)
NOT_FOUND: Outcome = (404, "NotFound")
CONFLICT: Outcome = (409, "Conflict")
ZERO = Decimal(0)


class Answer(NamedTuple):
    """The response to a charge."""

    status: int
    code: str | None = None
    cost: Decimal | None = None
    balance: Decimal | None = None
    replayed: bool | None = None


class Entry(NamedTuple):
    """A line of the ledger."""

    type: str
    amount: Decimal
    balance_after: Decimal
    sequence: int
    feature: str | None = None
    quantity: int | None = None
    unit_price: Decimal | None = None
    key: str | None = None


class Use(NamedTuple):
    """What an application asks for, and the feature as its vendor writes it."""

    feature: str
    quantity: int
    key: str | None


@dataclass
class Catalog:
    """The features of a product, by their folded names, and what they cost."""

    names: dict[str, str] = field(default_factory=dict)
    costs: dict[str, Decimal] = field(default_factory=dict)

    def name_of(self, feature: str) -> str:
        """The feature as its vendor writes it; one that nobody knows, as it came first."""
        return self.names.setdefault(feature.casefold(), feature)


@dataclass
class Meter:
    """A metered license with its wallet."""

    mode: str
    balance: Decimal
    entitled: frozenset[str] | None = None
    ends: datetime | None = None
    threshold: Decimal | None = None
    suspended: bool = False
    revoked: bool = False
    deleted: bool = False
    ledger: list[Entry] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    used: dict[str, tuple[Use, Answer]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger.append(Entry("InitialGrant", self.balance, self.balance, 1))

    def copy(self) -> Self:
        """A copy, to try out a request."""
        return deepcopy(self)

    @property
    def is_low(self) -> bool:
        return self.threshold is not None and self.balance <= self.threshold

    # Applications

    def consume(self, use: Use, catalog: Catalog, now: datetime) -> Answer:
        if self.deleted:
            return Answer(404, "LicenseNotFound")
        if self.mode == "Token" and use.key is None:
            return Answer(400, "InvalidRequest")
        if use.key in self.used:
            return self._replay(use, *self.used[use.key])
        if self.revoked or self.suspended or (self.ends is not None and self.ends <= now):
            return Answer(400, "LicenseInvalid")
        if self.entitled is not None and use.feature.casefold() not in self.entitled:
            return Answer(403, "FeatureNotEntitled")
        price = catalog.costs.get(use.feature.casefold()) if self.mode == "Token" else None
        if self.mode == "Token" and price is None:
            return Answer(422, "PricingNotConfigured")
        return self._charge(use, catalog, price)

    def _replay(self, use: Use, earlier: Use, answer: Answer) -> Answer:
        same = use.feature.casefold() == earlier.feature.casefold()
        if not same or use.quantity != earlier.quantity:
            return Answer(422, "IdempotencyKeyReused")
        return answer._replace(replayed=True)

    def _charge(self, use: Use, catalog: Catalog, price: Decimal | None) -> Answer:
        cost = use.quantity * (price if price is not None else Decimal(1))
        if cost > self.balance:
            if use.key is not None:
                catalog.name_of(use.feature)
            answer = Answer(402, "InsufficientBalance", cost, self.balance, False)
        else:
            name = catalog.name_of(use.feature)
            self._move("Consume", -cost, name, use.quantity, price, use.key)
            answer = Answer(200, None, cost, self.balance, False)
        if use.key is not None:
            self.used[use.key] = (use, answer)
        return answer

    # The vendor

    def grant(self, amount: Decimal) -> Outcome:
        return self._operate("AdminGrant", "meter.granted", amount)

    def adjust(self, amount: Decimal) -> Outcome:
        return self._operate("Adjust", "meter.adjusted", amount)

    def _operate(self, type_: str, kind: str, amount: Decimal) -> Outcome:
        if self.deleted:
            return NOT_FOUND
        if self.revoked:
            return CONFLICT
        if self.mode == "Count" and amount % 1:
            return (400, "InvalidRequest")
        if self.balance + amount < 0 or self.balance + amount > 10**15:
            return CONFLICT
        self.told.append(kind)
        self._move(type_, amount)
        return OK

    def warn_at(self, threshold: Decimal | None) -> Outcome:
        if self.deleted:
            return NOT_FOUND
        if self.revoked:
            return CONFLICT
        if self.mode == "Count" and threshold is not None and threshold % 1:
            return (400, "InvalidRequest")
        was_low, self.threshold = self.is_low, threshold
        self._tell_if_low(was_low)
        return OK

    def renew(self, ends: datetime) -> Outcome:
        if self.deleted:
            return NOT_FOUND
        if self.revoked:
            return CONFLICT
        self.ends = ends
        return OK

    def repair(self) -> Outcome:
        """A lost wallet comes back without its threshold, whatever the status."""
        if self.deleted:
            return NOT_FOUND
        self.threshold = None
        self.told.append("meter.wallet_restored")
        return OK

    def revoke(self) -> Outcome:
        self.revoked = self.revoked or not self.deleted
        return NOT_FOUND if self.deleted else OK

    def suspend(self) -> Outcome:
        return self._pause(True)

    def reinstate(self) -> Outcome:
        return self._pause(False)

    def _pause(self, suspended: bool) -> Outcome:
        if self.deleted:
            return NOT_FOUND
        if self.revoked:
            return CONFLICT
        self.suspended = suspended
        return OK

    def delete(self) -> Outcome:
        if self.deleted:
            return NOT_FOUND
        self.deleted = True
        return (204, None)

    def _move(
        self,
        type_: str,
        amount: Decimal,
        feature: str | None = None,
        quantity: int | None = None,
        price: Decimal | None = None,
        key: str | None = None,
    ) -> None:
        was_low, before = self.is_low, self.balance
        self.balance += amount
        number = len(self.ledger) + 1
        self.ledger.append(
            Entry(type_, amount, self.balance, number, feature, quantity, price, key)
        )
        self._tell_if_low(was_low)
        if before > 0 and self.balance == 0:
            self.told.append("meter.depleted")

    def _tell_if_low(self, was_low: bool) -> None:
        if self.is_low and not was_low:
            self.told.append("meter.low_balance")

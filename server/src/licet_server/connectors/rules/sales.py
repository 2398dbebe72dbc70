"""What orders brought in."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Sum:
    """What a number of orders in one currency brought in, and what of it was paid back."""

    currency: str
    orders: int
    amount: Decimal
    refunded: Decimal

    @property
    def net(self) -> Decimal:
        """Return what is left of the amount."""
        return self.amount - self.refunded

    def plus(self, other: "Sum") -> "Sum":
        """Return the sum of both, of one currency."""
        return Sum(
            self.currency,
            self.orders + other.orders,
            self.amount + other.amount,
            self.refunded + other.refunded,
        )


def summed(items: Iterable[tuple[Key, Sum]]) -> list[tuple[Key, Sum]]:
    """Return one sum for each key and currency, in the order in which they first occur."""
    found: dict[tuple[Key, str], Sum] = {}
    for key, item in items:
        before = found.get((key, item.currency))
        found[key, item.currency] = item if before is None else before.plus(item)
    return [(key, item) for (key, _), item in found.items()]

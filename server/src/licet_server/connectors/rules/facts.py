"""What an event of a shop says, in terms that are the same for all shops.

A fact never changes, and an order follows from the set of its facts. So it does not matter in which
order they arrive, or how often: see `orders`.
"""

from datetime import datetime
from enum import IntEnum, StrEnum

from msgspec import Struct

from licet_server.kit.text import ERASED_ADDRESS

MAX_REFERENCE = 255
MAX_LINES = 100


class FactKind(StrEnum):
    """What a fact is about.

    `Link` only says that references are of one order; `Buyer` tells of a buyer, and of no order.
    """

    PAYMENT = "Payment"
    SUBSCRIPTION = "Subscription"
    PAYMENT_FAILURE = "PaymentFailure"
    CANCELLATION = "Cancellation"
    REFUND = "Refund"
    DISPUTE = "Dispute"
    LINK = "Link"
    BUYER = "Buyer"


class Standing(IntEnum):
    """The state of a subscription, in the order of its life.

    Of two states that a shop gives the same instant, the higher one is the later one.
    """

    PENDING = 0
    RUNNING = 1
    FAILING = 2
    ENDING = 3
    ENDED = 4


class Buyer(Struct, frozen=True, omit_defaults=True):
    """Who bought, as far as the event says it. `reference` is the shop's name for them."""

    reference: str | None = None
    email: str | None = None
    name: str | None = None
    locale: str | None = None

    def completed_by(self, other: "Buyer | None") -> "Buyer":
        """Return this buyer, with what is missing taken from what else is known of them."""
        if other is None:
            return self
        return Buyer(
            self.reference,
            self.email or other.email,
            self.name or other.name,
            self.locale or other.locale,
        )


ERASED_BUYER = Buyer(email=ERASED_ADDRESS)
"""Who has bought what an erased person has bought."""


class Line(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that was sold. What recurs is replaced by what is sold later; the rest stays.

    `paid_until` is the end of the term that was paid for, if there is one.
    """

    product: str | None = None
    price: str | None = None
    quantity: int = 1
    recurs: bool = True
    paid_until: datetime | None = None


class Fact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one event says.

    `references` are the shop's names for what belongs to one order. `payment` names the payment,
    so that two events about it count once, and `dispute` the dispute. `rank` orders facts of the
    same instant. `is_paid` holds for payments, and for states of a subscription that prove one;
    their term begins at `paid_from`. `is_whole`: the whole payment was refunded; `is_open`: the
    dispute is not won.
    """

    kind: FactKind
    event_id: str
    occurred_at: datetime
    rank: int = 0
    references: tuple[str, ...] = ()
    buyer: Buyer | None = None
    lines: tuple[Line, ...] = ()
    paid_from: datetime | None = None
    payment: str | None = None
    is_paid: bool = False
    standing: Standing = Standing.PENDING
    is_whole: bool = False
    dispute: str | None = None
    is_open: bool = False

    @property
    def time(self) -> tuple[datetime, int, int, str]:
        """Its place among the facts of an order."""
        return self.occurred_at, self.rank, self.standing, self.event_id

    @property
    def term_begins(self) -> datetime:
        """When the paid term begins."""
        return self.paid_from or self.occurred_at


class UnreadableEvent(Exception):
    """An event does not have the form that its shop documents; the message says where."""

"""Facts: the events of all providers in one normalized form.

A fact never changes, and the state of an order is computed from the set of its facts. So the order
in which they arrive does not matter, and neither do duplicates: see `orders`.
"""

from datetime import datetime
from enum import IntEnum, StrEnum

from msgspec import Struct, field

from licet_server.kit.text import ERASED_ADDRESS

MAX_REFERENCE = 255
MAX_LINES = 100
SUPPLEMENT = "supplement:"
"""How the charge of a payment begins that bought no term."""


class FactKind(StrEnum):
    """What a fact is about.

    `Link` only says that references belong to one order; `Buyer` is about a buyer, and about no
    order.
    """

    PAYMENT = "Payment"
    SUBSCRIPTION = "Subscription"
    PAYMENT_FAILURE = "PaymentFailure"
    CANCELLATION = "Cancellation"
    REFUND = "Refund"
    DISPUTE = "Dispute"
    LINK = "Link"
    BUYER = "Buyer"


class SubscriptionState(IntEnum):
    """The state of a subscription, in the order of its lifecycle.

    Of two states at the same instant, the higher one is the later one.
    """

    PENDING = 0
    ACTIVE = 1
    PAST_DUE = 2
    ENDING = 3
    ENDED = 4


class Buyer(Struct, frozen=True, omit_defaults=True):
    """The buyer, as far as the event names them. `reference` is the provider's ID of the buyer.

    `unusable` is an address that no mail can be sent to, as the provider has it.
    """

    reference: str | None = None
    email: str | None = None
    name: str | None = None
    locale: str | None = None
    unusable: str | None = None

    def completed_by(self, other: "Buyer | None") -> "Buyer":
        """Return this buyer, with missing fields taken from the other."""
        if other is None:
            return self
        return Buyer(
            self.reference,
            self.email or other.email,
            self.name or other.name,
            self.locale or other.locale,
            self.unusable or other.unusable,
        )


ERASED_BUYER = Buyer(email=ERASED_ADDRESS)
"""The buyer of all orders of erased people."""


class Money(Struct, frozen=True):
    """An exact amount in the unit of its currency, as text so that no digit is lost in JSON."""

    amount: str
    currency: str


class Line(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An item that was sold. Recurring items are replaced by later sales; others stay.

    `paid_until` is the end of the paid term, if there is one, and `begins` its beginning where that
    is not the one of the whole payment. `is_supplement`: it adds to a term that another payment
    bought, such as a prorated change; `replaces`: it takes the place of the other prices of its
    product. `ends_by` is when the shop charges for an item of a subscription next. `items` are the
    shop's IDs of the lines that have this price.
    """

    product: str | None = None
    price: str | None = None
    quantity: int = 1
    recurs: bool = True
    paid_until: datetime | None = None
    begins: datetime | None = None
    is_supplement: bool = False
    replaces: bool = False
    ends_by: datetime | None = None
    items: tuple[str, ...] = ()

    @property
    def sold(self) -> "Sold":
        """The product and the price."""
        return self.product, self.price


Sold = tuple[str | None, str | None]
"""A product and a price, by which payments for the same thing are recognized."""


class Fact(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of one event, normalized.

    `references` are the provider's IDs of objects that belong to one order. `payment` identifies
    the payment, so that two events about it count once, and `dispute` the dispute. `rank` orders
    facts of the same instant. `is_paid` holds for payments, and for states of a subscription that
    prove one; their term begins at `paid_from`. `is_whole`: the whole payment was refunded;
    `is_open`: the dispute is not won. `money` is what was paid, or paid back in all of the
    payment that is refunded; `charge` identifies it where two payments are the same money.
    `is_test`: no real money was. `credited` are items that were given back from `paid_until` on.
    `refund` identifies a single refund, and `is_undone` says that it failed. `ended_at` is when a
    subscription ended. `before` and `after` identify its states around a change, so that changes of
    one second can be put in order. `lacks_lines`: the event carries only a part of its lines.
    `items` are the lines of the payment that a dispute is about, if it is not about all of them.
    Facts are stored as JSON, by the names of these fields.
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
    subscription: SubscriptionState = field(default=SubscriptionState.PENDING, name="standing")
    is_whole: bool = False
    dispute: str | None = None
    is_open: bool = False
    money: Money | None = None
    charge: str | None = None
    is_test: bool = False
    credited: tuple[Line, ...] = ()
    refund: str | None = None
    is_undone: bool = False
    ended_at: datetime | None = None
    before: str | None = None
    after: str | None = None
    lacks_lines: bool = False
    items: tuple[str, ...] = ()

    @property
    def names_everything(self) -> bool:
        """Whether the lines are all that the buyer has from then on, not only what was paid now."""
        return self.kind is FactKind.SUBSCRIPTION or self.payment is None

    @property
    def time(self) -> tuple[datetime, int, int, str]:
        """The sort key among the facts of an order."""
        return self.occurred_at, self.rank, self.subscription, self.event_id

    @property
    def term_begins(self) -> datetime:
        """The instant when the paid term begins."""
        return self.paid_from or self.occurred_at


class UnreadableEvent(Exception):
    """An event that does not have the form that its provider documents; the message says where."""

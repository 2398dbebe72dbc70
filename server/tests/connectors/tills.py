"""Shops with several prices and terms: what was paid, kept simply, and what the shops send of it.

A till keeps what was paid until when for each price in the plainest way, as the judge of what the
rules make of the messages.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from connectors.shops import Sent

from licet_server.connectors.rules.licensing import LicenseState
from licet_server.connectors.rules.model import ConnectorKind

_UPDATED = "customer.subscription.updated"
YEAR, MONTH = timedelta(days=360), timedelta(days=30)
TERMS = {"base": YEAR, "extra": MONTH}


@dataclass
class Item:
    """What a payment bought of a price."""

    price: str
    quantity: int
    begins: datetime
    ends: datetime
    former: int = 0


@dataclass
class Payment:
    """A payment, and what was paid back of it; a supplement changes the seats of a paid term."""

    number: int
    at: datetime
    items: list[Item]
    amount: int
    is_supplement: bool = False
    refunds: list[tuple[datetime, int]] = field(default_factory=list)

    @property
    def refunded(self) -> int:
        return sum(amount for _, amount in self.refunds)

    @property
    def stands(self) -> bool:
        return self.refunded < self.amount


@dataclass(frozen=True)
class Verdict:
    """What a buyer has of a price."""

    state: LicenseState
    ends: datetime | None = None
    quantity: int | None = None


@dataclass
class Till:
    """A shop with one order, and what it sends."""

    kind: ConnectorKind
    at: datetime
    payments: list[Payment] = field(default_factory=list)
    quantities: dict[str, int] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    steps: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    dropped_at: datetime | None = None

    @property
    def is_single(self) -> bool:
        """Whether a subscription has one item only."""
        return self.kind is ConnectorKind.LEMON_SQUEEZY

    # What happens

    def buy(self, quantity: int, *, extra: bool) -> None:
        self.quantities = {"base": quantity}
        if extra and not self.is_single and self.kind is not ConnectorKind.PADDLE:
            self.quantities["extra"] = 1
        items = [self._item(price, self.at) for price in self.quantities]
        self._pay(items, 10_007)
        if extra and self.kind is ConnectorKind.PADDLE:  # one term for each transaction
            self.quantities["extra"] = 1
            self._pay([self._item("extra", self.at)], 2_003)

    def renew(self, price: str, early: int) -> None:
        """Pay for the next term, days before the paid one ends or when it has ended."""
        if price not in self.quantities:
            return
        end = self.last_end(price)
        days = 0 if self.is_single else early
        if end + timedelta(hours=1) < self.at:
            return
        self.at = max(self.at, end - timedelta(days=days))
        self._pay([self._item(price, end)], 5_003 + 101 * self.steps)

    def add_seats(self) -> None:
        end = self.last_end("base")
        if self.at + timedelta(days=1) >= end:
            return
        former = self.quantities["base"]
        self.quantities["base"] = former + 1
        item = Item("base", former + 1, self.at, end, former)
        self._pay([item], 503 + 7 * self.steps, is_supplement=True)

    def drop(self, *, credited: bool) -> None:
        """Let the subscription go on without the extra, whose rest is given back or not."""
        if "extra" not in self.quantities or self.kind is ConnectorKind.GENERIC:
            return
        self._tick()
        before, former = self.state, self.quantities.pop("extra")
        self.dropped_at = self.at
        if self.kind is ConnectorKind.PADDLE:
            self._say(iter([self._paddle_subscription()]))
            return
        number = before["latest_invoice"].removeprefix("in_")
        self.state = self._stripe_state(int(number))
        changed = {"items": before["items"]}
        update = self._stripe(_UPDATED, self.state, previous_attributes=changed)
        self._say(iter([update]))
        end = self.last_end("extra")
        if credited and self.at < end:
            self._tick()
            back = Item("extra", former, self.at, end, former)
            self._say(iter([self._stripe_credit(back)]))
            for payment in self.payments:
                for item in payment.items:
                    if item.price == "extra":
                        item.ends = min(item.ends, self.at)

    def refund(self, number: int, *, parts: bool, rest: bool) -> None:
        """Pay back a payment at once, in two parts, or only the first of these."""
        payment = self.payments[number % len(self.payments)]
        if payment.refunds:
            return
        is_last = payment is self.payments[-1]
        if parts and (self.kind is not ConnectorKind.GENERIC or is_last):
            self._pay_back(payment, payment.amount // 3)
            if rest:
                self._pay_back(payment, payment.amount - payment.amount // 3)
            return
        self._pay_back(payment, payment.amount)

    def fail_refund(self, number: int) -> None:
        """Let the last refund of a payment fail, where a shop says so."""
        payment = self.payments[number % len(self.payments)]
        if self.kind in (ConnectorKind.STRIPE, ConnectorKind.PADDLE) and payment.refunds:
            self._tick()
            refund = len(payment.refunds)
            _, amount = payment.refunds.pop()
            payment.refunds.append((self.at, 0))
            self._say(self._failed_refund(payment, refund, amount))

    # The judge

    def last_end(self, price: str) -> datetime:
        return max(it.ends for p in self.payments for it in p.items if it.price == price)

    def verdict(self, price: str) -> Verdict | None:
        """What the buyer has of a price; `None` if it was never sold."""
        of_price = [(p, it) for p in self.payments for it in p.items if it.price == price]
        if not of_price:
            return None
        ends = [it.ends for p, it in of_price if p.stands and not p.is_supplement]
        standing = [(p, it) for p, it in of_price if p.stands]
        refunded_at = max(
            (p.refunds[-1][0] for p in self.payments if not p.stands), default=self.at
        )
        all_end = max(it.ends for p, it in of_price if not p.is_supplement)
        end = max(ends, default=None)
        if end is not None and (end == all_end or end > refunded_at):
            _, last = standing[-1]
            quantity = self.quantities[price] if self.is_single else last.quantity
            return Verdict(LicenseState.ACTIVE, end, quantity)
        if any(p.is_supplement for p, _ in standing):
            return Verdict(LicenseState.SUSPENDED)
        return Verdict(LicenseState.REVOKED)

    # What is sent

    def _item(self, price: str, begins: datetime) -> Item:
        return Item(price, self.quantities[price], begins, begins + TERMS[price])

    def _tick(self) -> None:
        self.at += timedelta(minutes=1)
        self.steps += 1

    def _pay(self, items: list[Item], amount: int, *, is_supplement: bool = False) -> None:
        if self.payments:
            self._tick()
        payment = Payment(len(self.payments), self.at, items, amount, is_supplement)
        self.payments.append(payment)
        self._say(self._paid(payment))

    def _pay_back(self, payment: Payment, amount: int) -> None:
        self._tick()
        payment.refunds.append((self.at, amount))
        self._say(self._refunded(payment, amount))

    def _say(self, bodies: Iterator[dict[str, Any]]) -> None:
        for body in bodies:
            number = len(self.sent)
            name = hashlib.sha256(f"{number}".encode()).hexdigest()[:12]
            for key in ("id", "event_id"):
                if key in body:
                    body[key] = f"evt_{name}"
            self.sent.append(Sent(self.kind, body, self.at, f"msg_{name}"))

    def _paid(self, payment: Payment) -> Iterator[dict[str, Any]]:
        match self.kind:
            case ConnectorKind.STRIPE:
                yield from self._stripe_paid(payment)
            case ConnectorKind.PADDLE:
                yield from self._paddle_paid(payment)
            case ConnectorKind.LEMON_SQUEEZY:
                yield from self._lemon_paid(payment)
            case ConnectorKind.GENERIC:
                kind = "order.renewed" if payment.number else "order.paid"
                lines = [
                    {
                        "product": f"prod_{price}",
                        "price": price,
                        "quantity": quantity,
                        "periodEnd": self.last_end(price).isoformat(),
                    }
                    for price, quantity in self.quantities.items()
                ]
                yield self._generic(kind, payment.amount, lines=lines)

    def _refunded(self, payment: Payment, amount: int) -> Iterator[dict[str, Any]]:
        match self.kind:
            case ConnectorKind.STRIPE:
                yield self._stripe(
                    "charge.refunded",
                    {
                        **self._charge(payment),
                        "amount_refunded": payment.refunded,
                        "refunded": not payment.stands,
                    },
                )
            case ConnectorKind.PADDLE:
                yield self._adjusted(payment, len(payment.refunds), amount, "approved")
            case ConnectorKind.LEMON_SQUEEZY:
                status = "partial_refund" if payment.stands else "refunded"
                said = {"status": status, "refunded_amount": payment.refunded}
                if payment.number == 0:
                    yield self._lemon(
                        "order_refunded", "orders", 2, {**self._lemon_order(), **said}
                    )
                yield self._lemon_invoice(payment, "subscription_payment_refunded", said)
            case ConnectorKind.GENERIC:
                yield self._generic("order.refunded", amount)

    def _failed_refund(
        self, payment: Payment, number: int, amount: int
    ) -> Iterator[dict[str, Any]]:
        if self.kind is ConnectorKind.PADDLE:
            yield self._adjusted(payment, number, amount, "reversed")
            return
        refund = {
            "id": f"re_{payment.number}_{number}",
            "object": "refund",
            "charge": f"ch_{payment.number}",
            "payment_intent": f"pi_{payment.number}",
            "amount": amount,
            "currency": "eur",
            "status": "failed",
        }
        yield self._stripe("refund.failed", refund)
        yield self._stripe("charge.refund.updated", refund)

    # Stripe

    def _stripe(self, kind: str, item: dict[str, Any], **data: Any) -> dict[str, Any]:
        created = int(self.at.timestamp())
        return {"id": "", "type": kind, "created": created, "data": {"object": item, **data}}

    def _charge(self, payment: Payment) -> dict[str, Any]:
        return {
            "id": f"ch_{payment.number}",
            "object": "charge",
            "payment_intent": f"pi_{payment.number}",
            "amount": payment.amount,
            "currency": "eur",
        }

    def _stripe_paid(self, payment: Payment) -> Iterator[dict[str, Any]]:
        number = payment.number
        before, self.state = self.state, self._stripe_state(number)
        if number == 0:
            yield self._stripe(
                "customer.subscription.created", {**self.state, "status": "incomplete"}
            )
            before = {**self.state, "status": "incomplete"}
        lines: list[dict[str, Any]] = []
        for item in payment.items:
            if item.former:
                lines.append(_stripe_line(item, -400, item.former, proration=True))
            amount = payment.amount // len(payment.items)
            lines.append(_stripe_line(item, amount, item.quantity, proration=payment.is_supplement))
        yield self._stripe(
            "invoice.paid",
            {
                "id": f"in_{number}",
                "customer": "cus_1",
                "customer_email": "jane@example.com",
                "amount_paid": payment.amount,
                "currency": "eur",
                "parent": {"subscription_details": {"subscription": "sub_1"}},
                "lines": {"data": lines},
            },
        )
        yield self._stripe(
            "invoice_payment.paid",
            {
                "id": f"inpay_{number}",
                "invoice": f"in_{number}",
                "payment": {"payment_intent": f"pi_{number}", "charge": f"ch_{number}"},
            },
        )
        middle = {**self.state, "latest_invoice": before.get("latest_invoice")}
        names = ("status", "items", "latest_invoice")
        for old, new in ((before, middle), (middle, self.state)):
            changed = {name: old.get(name) for name in names if old.get(name) != new.get(name)}
            yield self._stripe(_UPDATED, new, previous_attributes=changed)

    def _stripe_credit(self, back: Item) -> dict[str, Any]:
        return self._stripe(
            "invoice.paid",
            {
                "id": f"in_credit_{self.steps}",
                "customer": "cus_1",
                "amount_paid": 0,
                "currency": "eur",
                "parent": {"subscription_details": {"subscription": "sub_1"}},
                "lines": {"data": [_stripe_line(back, -400, back.quantity, proration=True)]},
            },
        )

    def _stripe_state(self, number: int) -> dict[str, Any]:
        items = [
            {"price": _stripe_price(price), "quantity": quantity}
            for price, quantity in self.quantities.items()
        ]
        return {
            "id": "sub_1",
            "customer": "cus_1",
            "status": "active",
            "latest_invoice": f"in_{number}",
            "items": {"data": items},
        }

    # Paddle

    def _paddle(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        moment = self.at.isoformat()
        return {"event_id": "", "event_type": kind, "occurred_at": moment, "data": data}

    def _paddle_paid(self, payment: Payment) -> Iterator[dict[str, Any]]:
        if payment.number == 0:
            buyer = {"id": "ctm_1", "email": "jane@example.com"}
            yield self._paddle("customer.created", buyer)
        items = [
            {
                **_paddle_item(item.price, item.quantity),
                "proration": {
                    "billing_period": {
                        "starts_at": item.begins.isoformat(),
                        "ends_at": item.ends.isoformat(),
                    }
                }
                if payment.is_supplement
                else None,
            }
            for item in payment.items
        ]
        [first, *_] = payment.items
        totals = {"grand_total": str(payment.amount), "currency_code": "EUR"}
        data = {
            "id": f"txn_{payment.number}",
            "subscription_id": "sub_1",
            "customer_id": "ctm_1",
            "items": items,
            "billing_period": {
                "starts_at": first.begins.isoformat(),
                "ends_at": first.ends.isoformat(),
            },
            "details": {"totals": totals},
        }
        yield self._paddle("transaction.paid", data)
        yield self._paddle("transaction.completed", data)
        yield self._paddle_subscription()

    def _paddle_subscription(self) -> dict[str, Any]:
        data = {
            "id": "sub_1",
            "status": "active",
            "customer_id": "ctm_1",
            "items": [_paddle_item(*pair) for pair in self.quantities.items()],
        }
        return self._paddle("subscription.updated", data)

    def _adjusted(self, payment: Payment, number: int, amount: int, status: str) -> dict[str, Any]:
        return self._paddle(
            "adjustment.updated",
            {
                "id": f"adj_{payment.number}_{number}",
                "action": "refund",
                "status": status,
                "type": "full" if amount == payment.amount else "partial",
                "transaction_id": f"txn_{payment.number}",
                "subscription_id": "sub_1",
                "totals": {"total": str(amount), "currency_code": "EUR"},
            },
        )

    # Lemon Squeezy

    def _lemon(self, name: str, kind: str, number: int, said: dict[str, Any]) -> dict[str, Any]:
        common = {"user_email": "jane@example.com", "updated_at": self.at.isoformat()}
        attributes = {"created_at": self.at.isoformat(), "currency": "EUR", **common, **said}
        data = {"type": kind, "id": str(number), "attributes": attributes}
        return {"meta": {"event_name": name}, "data": data}

    def _lemon_order(self) -> dict[str, Any]:
        first = self.payments[0]
        return {
            "status": "paid",
            "total": first.amount,
            "created_at": first.at.isoformat(),
            "first_order_item": {"product_id": "prod_base", "variant_id": "base"},
        }

    def _lemon_paid(self, payment: Payment) -> Iterator[dict[str, Any]]:
        if payment.number == 0:
            yield self._lemon("order_created", "orders", 2, self._lemon_order())
        yield self._lemon_invoice(payment, "subscription_payment_success", {"status": "paid"})
        said = {
            "order_id": 2,
            "product_id": "prod_base",
            "variant_id": "base",
            "status": "active",
            "first_subscription_item": {"quantity": self.quantities["base"]},
            "renews_at": self.last_end("base").isoformat(),
        }
        name = "subscription_updated" if payment.number else "subscription_created"
        yield self._lemon(name, "subscriptions", 1, said)

    def _lemon_invoice(self, payment: Payment, name: str, said: dict[str, Any]) -> dict[str, Any]:
        reason = "updated" if payment.is_supplement else "renewal" if payment.number else "initial"
        invoice = {
            "subscription_id": 1,
            "billing_reason": reason,
            "total": payment.amount,
            "created_at": payment.at.isoformat(),
            **said,
        }
        return self._lemon(name, "subscription-invoices", 10 + payment.number, invoice)

    # Any other shop

    def _generic(self, kind: str, amount: int, **data: Any) -> dict[str, Any]:
        money = {"amount": amount, "currency": "EUR"}
        customer = {"email": "jane@example.com"}
        return {
            "type": kind,
            "timestamp": self.at.isoformat(),
            "data": {"id": "1", "customer": customer, **money, **data},
        }


def _stripe_price(price: str) -> dict[str, Any]:
    return {"id": price, "product": f"prod_{price}", "recurring": {"interval": "month"}}


def _stripe_line(item: Item, amount: int, quantity: int, *, proration: bool) -> dict[str, Any]:
    return {
        "amount": amount,
        "quantity": quantity,
        "period": {"start": int(item.begins.timestamp()), "end": int(item.ends.timestamp())},
        "parent": {"subscription_item_details": {"proration": proration}},
        "pricing": {"price_details": {"price": item.price, "product": f"prod_{item.price}"}},
    }


def _paddle_item(price: str, quantity: int) -> dict[str, Any]:
    cycle = {"interval": "month", "frequency": 1}
    said = {"id": price, "product_id": f"prod_{price}", "billing_cycle": cycle}
    return {"price": said, "quantity": quantity}

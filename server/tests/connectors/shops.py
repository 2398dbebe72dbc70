"""Shops that sell to one customer each: what they send, in the forms that they document.

Every shop tells the same life of an order in its own words, so that one test holds for all of them.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from standardwebhooks import Webhook

from licet_server.connectors.rules.model import ConnectorKind

SECRETS = {
    ConnectorKind.STRIPE: "whsec_stripe_signing_secret",
    ConnectorKind.PADDLE: "pdl_ntfset_01gkpjp8bkm3tm53kdgkx6sms7_6h3qd3uFSi9YCD3OLYAShQI90XTI5vEI",
    ConnectorKind.LEMON_SQUEEZY: "lemon-secret",
    ConnectorKind.GENERIC: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
}
MONTH = timedelta(days=30)
TIMED = [kind for kind in ConnectorKind if kind is not ConnectorKind.LEMON_SQUEEZY]
"""The shops that sign the time."""
DISPUTABLE = TIMED
"""The shops that tell of disputes."""


@dataclass(frozen=True)
class Sent:
    """A message of a shop: its event, and when the shop first sends it."""

    kind: ConnectorKind
    body: dict[str, Any]
    at: datetime
    message_id: str

    @property
    def raw(self) -> bytes:
        return json.dumps(self.body).encode()

    def headers(self, now: datetime, secret: str | None = None) -> dict[str, str]:
        """What goes with the message when it is sent at `now`."""
        return sign(self.kind, self.raw, now, secret or SECRETS[self.kind], self.message_id)


def sign(
    kind: ConnectorKind, raw: bytes, now: datetime, secret: str, message_id: str
) -> dict[str, str]:
    stamp = str(int(now.timestamp()))

    def digest(signed: bytes) -> str:
        return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()

    match kind:
        case ConnectorKind.STRIPE:
            signature = digest(stamp.encode() + b"." + raw)
            return {"stripe-signature": f"t={stamp},v1={signature},v0=ignored"}
        case ConnectorKind.PADDLE:
            return {"paddle-signature": f"ts={stamp};h1={digest(stamp.encode() + b':' + raw)}"}
        case ConnectorKind.LEMON_SQUEEZY:
            return {"x-signature": digest(raw), "x-event-name": "whatever"}
        case ConnectorKind.GENERIC:
            moment = datetime.fromtimestamp(int(stamp), UTC)
            return {
                "webhook-id": message_id,
                "webhook-timestamp": stamp,
                "webhook-signature": Webhook(secret).sign(message_id, moment, raw.decode()),
            }


@dataclass
class Shop:
    """One order of one customer, from the sale on."""

    kind: ConnectorKind
    name: str
    email: str
    at: datetime
    plan: str = "basic"
    quantity: int = 1
    period_start: datetime = field(init=False)
    period_end: datetime = field(init=False)
    status: str = field(init=False, default="active")
    paid: int = field(init=False, default=0)
    sent: list[Sent] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.period_start, self.period_end = self.at, self.at + MONTH
        self._tell = WORDS[self.kind](self)

    def buy(self) -> None:
        self.paid += 1
        self._say(self._tell.bought)

    def renew(self) -> None:
        self.at = max(self.at, self.period_end)
        self.period_start, self.period_end = self.period_end, self.period_end + MONTH
        self.status, self.paid = "active", self.paid + 1
        self._say(self._tell.renewed)

    def fail(self) -> None:
        self.at = max(self.at, self.period_end)
        self.status = "past_due"
        self._say(self._tell.failed)

    def change(self, plan: str, quantity: int) -> None:
        self.plan, self.quantity = plan, quantity
        self._say(self._tell.changed)

    def cancel(self) -> None:
        self.status = "canceled"
        self._say(self._tell.canceled)

    def refund(self) -> None:
        self._say(self._tell.refunded)

    def dispute(self) -> None:
        self._say(self._tell.disputed)

    def win(self) -> None:
        self._say(self._tell.won)

    def wait(self, **by: float) -> None:
        self.at += timedelta(**by)

    def _say(self, told: Callable[[], Iterator[dict[str, Any]]]) -> None:
        self.at += timedelta(seconds=60)
        for body in told():
            message_id = f"msg_{self.name}_{len(self.sent)}"
            self.sent.append(Sent(self.kind, body, self.at, message_id))

    @property
    def product(self) -> str:
        return "prod_app"

    @property
    def price(self) -> str:
        return f"price_{self.plan}"


class Stripe:
    """As its current API has it: lines with `pricing`, invoices with `parent`."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def event(self, kind: str, item: dict[str, Any]) -> dict[str, Any]:
        shop = self.shop
        return {
            "id": f"evt_{shop.name}_{kind}_{len(shop.sent)}_{int(shop.at.timestamp())}",
            "object": "event",
            "api_version": "2025-09-30.clover",
            "created": int(shop.at.timestamp()),
            "type": kind,
            "livemode": True,
            "data": {"object": item},
        }

    def subscription(self) -> dict[str, Any]:
        shop = self.shop
        price = {
            "id": shop.price,
            "object": "price",
            "product": shop.product,
            "recurring": {"interval": "month"},
        }
        return {
            "id": f"sub_{shop.name}",
            "object": "subscription",
            "customer": f"cus_{shop.name}",
            "status": "active" if shop.status == "canceled" else shop.status,
            "cancel_at_period_end": shop.status == "canceled",
            "latest_invoice": f"in_{shop.name}_{shop.paid}",
            "items": {
                "object": "list",
                "data": [{"id": f"si_{shop.name}", "price": price, "quantity": shop.quantity}],
            },
        }

    def invoice(self) -> dict[str, Any]:
        shop = self.shop
        line = {
            "id": f"il_{shop.name}_{shop.paid}",
            "object": "line_item",
            "amount": 1000 * shop.quantity,
            "quantity": shop.quantity,
            "period": {
                "start": int(shop.period_start.timestamp()),
                "end": int(shop.period_end.timestamp()),
            },
            "parent": {
                "type": "subscription_item_details",
                "subscription_item_details": {"proration": False},
            },
            "pricing": {
                "type": "price_details",
                "price_details": {"price": shop.price, "product": shop.product},
            },
        }
        details = {"subscription": f"sub_{shop.name}", "metadata": {}}
        return {
            "id": f"in_{shop.name}_{shop.paid}",
            "object": "invoice",
            "customer": f"cus_{shop.name}",
            "customer_email": shop.email,
            "customer_name": "Jane Doe",
            "parent": {"type": "subscription_details", "subscription_details": details},
            "lines": {"object": "list", "data": [line]},
        }

    def payment(self) -> dict[str, Any]:
        name = self.shop.name
        return {
            "id": f"inpay_{name}_{self.shop.paid}",
            "object": "invoice_payment",
            "invoice": f"in_{name}_{self.shop.paid}",
            "payment": {"type": "payment_intent", "payment_intent": f"pi_{name}_{self.shop.paid}"},
            "status": "paid",
        }

    def charge(self, **fields: Any) -> dict[str, Any]:
        number = f"{self.shop.name}_{self.shop.paid}"
        charge = {"id": f"ch_{number}", "object": "charge", "payment_intent": f"pi_{number}"}
        return {**charge, "amount": 1000, **fields}

    def bought(self) -> Iterator[dict[str, Any]]:
        yield self.event(
            "customer.created",
            {"id": f"cus_{self.shop.name}", "email": self.shop.email, "name": "Jane Doe"},
        )
        yield self.event(
            "customer.subscription.created", {**self.subscription(), "status": "incomplete"}
        )
        yield from self.renewed()

    def renewed(self) -> Iterator[dict[str, Any]]:
        yield self.event("invoice.paid", self.invoice())
        yield self.event("invoice_payment.paid", self.payment())
        yield self.event("customer.subscription.updated", self.subscription())

    def failed(self) -> Iterator[dict[str, Any]]:
        invoice = {**self.invoice(), "id": f"in_{self.shop.name}_{self.shop.paid + 1}"}
        yield self.event("invoice.payment_failed", invoice)
        yield self.event("customer.subscription.updated", self.subscription())

    def changed(self) -> Iterator[dict[str, Any]]:
        yield self.event("customer.subscription.updated", self.subscription())

    def canceled(self) -> Iterator[dict[str, Any]]:
        yield self.event("customer.subscription.updated", self.subscription())

    def refunded(self) -> Iterator[dict[str, Any]]:
        yield self.event("charge.refunded", self.charge(amount_refunded=1000, refunded=True))

    def dispute(self, kind: str, status: str) -> dict[str, Any]:
        charge = self.charge()
        return self.event(
            f"charge.dispute.{kind}",
            {
                "id": f"dp_{self.shop.name}",
                "object": "dispute",
                "charge": charge["id"],
                "payment_intent": charge["payment_intent"],
                "status": status,
            },
        )

    def disputed(self) -> Iterator[dict[str, Any]]:
        yield self.dispute("created", "needs_response")

    def won(self) -> Iterator[dict[str, Any]]:
        yield self.dispute("closed", "won")


class Paddle:
    """As Paddle Billing has it: buyers by id, refunds as adjustments."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def event(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        shop = self.shop
        return {
            "event_id": f"evt_{shop.name}_{kind}_{len(shop.sent)}_{int(shop.at.timestamp())}",
            "event_type": kind,
            "occurred_at": shop.at.isoformat().replace("+00:00", "Z"),
            "notification_id": f"ntf_{len(shop.sent)}",
            "data": data,
        }

    def items(self) -> list[dict[str, Any]]:
        shop = self.shop
        price = {
            "id": shop.price,
            "product_id": shop.product,
            "billing_cycle": {"interval": "month", "frequency": 1},
        }
        return [{"price": price, "quantity": shop.quantity, "proration": None}]

    def subscription(self) -> dict[str, Any]:
        shop = self.shop
        change = {"action": "cancel", "effective_at": shop.period_end.isoformat()}
        return {
            "id": f"sub_{shop.name}",
            "status": "active" if shop.status == "canceled" else shop.status,
            "customer_id": f"ctm_{shop.name}",
            "items": self.items(),
            "scheduled_change": change if shop.status == "canceled" else None,
        }

    def transaction(self) -> dict[str, Any]:
        shop = self.shop
        return {
            "id": f"txn_{shop.name}_{shop.paid}",
            "status": "completed",
            "customer_id": f"ctm_{shop.name}",
            "subscription_id": f"sub_{shop.name}",
            "items": self.items(),
            "billing_period": {
                "starts_at": shop.period_start.isoformat(),
                "ends_at": shop.period_end.isoformat(),
            },
        }

    def bought(self) -> Iterator[dict[str, Any]]:
        shop = self.shop
        buyer = {"id": f"ctm_{shop.name}", "email": shop.email, "name": "Jane Doe"}
        yield self.event("customer.created", buyer)
        yield self.event("transaction.paid", {**self.transaction(), "status": "paid"})
        yield from self.renewed()

    def renewed(self) -> Iterator[dict[str, Any]]:
        yield self.event("transaction.completed", self.transaction())
        yield self.event("subscription.updated", self.subscription())

    def failed(self) -> Iterator[dict[str, Any]]:
        shop = self.shop
        failed = {**self.transaction(), "id": f"txn_{shop.name}_{shop.paid + 1}"}
        yield self.event("transaction.payment_failed", {**failed, "status": "past_due"})
        yield self.event("subscription.past_due", self.subscription())

    def changed(self) -> Iterator[dict[str, Any]]:
        yield self.event("subscription.updated", self.subscription())

    def canceled(self) -> Iterator[dict[str, Any]]:
        yield self.event("subscription.updated", self.subscription())

    def adjustment(self, action: str) -> dict[str, Any]:
        shop = self.shop
        return {
            "id": f"adj_{shop.name}_{action}",
            "action": action,
            "status": "approved",
            "type": "full",
            "transaction_id": f"txn_{shop.name}_{shop.paid}",
            "subscription_id": f"sub_{shop.name}",
            "items": [{"type": "full", "amount": "1000"}],
        }

    def refunded(self) -> Iterator[dict[str, Any]]:
        asked = {**self.adjustment("refund"), "status": "pending_approval"}
        yield self.event("adjustment.created", asked)
        yield self.event("adjustment.updated", self.adjustment("refund"))

    def disputed(self) -> Iterator[dict[str, Any]]:
        yield self.event("adjustment.created", self.adjustment("chargeback"))

    def won(self) -> Iterator[dict[str, Any]]:
        yield self.event("adjustment.created", self.adjustment("chargeback_reverse"))


class LemonSqueezy:
    """As Lemon Squeezy has it: no event ids, numbers for names, no disputes."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.number = int(hashlib.sha256(shop.name.encode()).hexdigest()[:8], 16)

    def event(self, name: str, kind: str, number: int, said: dict[str, Any]) -> dict[str, Any]:
        return {
            "meta": {"event_name": name, "test_mode": False, "custom_data": {}},
            "data": {"type": kind, "id": str(number), "attributes": said},
        }

    def common(self) -> dict[str, Any]:
        shop = self.shop
        return {
            "store_id": 1,
            "customer_id": self.number,
            "user_email": shop.email,
            "user_name": "Jane Doe",
            "created_at": shop.at.isoformat(),
            "updated_at": shop.at.isoformat(),
        }

    def subscription(self, name: str) -> dict[str, Any]:
        shop = self.shop
        said = {
            **self.common(),
            "order_id": self.number + 1,
            "product_id": shop.product,
            "variant_id": shop.price,
            "status": "cancelled" if shop.status == "canceled" else shop.status,
            "first_subscription_item": {"id": 1, "quantity": shop.quantity},
            "renews_at": shop.period_end.isoformat(),
            "ends_at": shop.period_end.isoformat() if shop.status == "canceled" else None,
        }
        return self.event(name, "subscriptions", self.number, said)

    def invoice(self, name: str) -> dict[str, Any]:
        said = {**self.common(), "subscription_id": self.number, "status": "paid"}
        number = self.number + 10 + self.shop.paid
        return self.event(name, "subscription-invoices", number, said)

    def bought(self) -> Iterator[dict[str, Any]]:
        shop = self.shop
        item = {"product_id": shop.product, "variant_id": shop.price, "quantity": shop.quantity}
        said = {**self.common(), "status": "paid", "first_order_item": item}
        yield self.event("order_created", "orders", self.number + 1, said)
        yield self.subscription("subscription_created")
        yield self.invoice("subscription_payment_success")

    def renewed(self) -> Iterator[dict[str, Any]]:
        yield self.invoice("subscription_payment_success")
        yield self.subscription("subscription_updated")

    def failed(self) -> Iterator[dict[str, Any]]:
        yield self.invoice("subscription_payment_failed")
        yield self.subscription("subscription_updated")

    def changed(self) -> Iterator[dict[str, Any]]:
        yield self.subscription("subscription_updated")

    def canceled(self) -> Iterator[dict[str, Any]]:
        yield self.subscription("subscription_cancelled")

    def refunded(self) -> Iterator[dict[str, Any]]:
        said = {**self.common(), "status": "refunded", "refunded": True}
        yield self.event("order_refunded", "orders", self.number + 1, said)

    def disputed(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def won(self) -> Iterator[dict[str, Any]]:
        return iter(())


class Generic:
    """Messages of Standard Webhooks, as the service documents them."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def event(self, kind: str, **data: Any) -> dict[str, Any]:
        shop = self.shop
        customer = {"email": shop.email, "name": "Jane Doe"}
        return {
            "type": kind,
            "timestamp": shop.at.isoformat(),
            "data": {"id": shop.name, "customer": customer, **data},
        }

    def lines(self) -> list[dict[str, Any]]:
        shop = self.shop
        return [
            {
                "product": shop.product,
                "price": shop.price,
                "quantity": shop.quantity,
                "periodEnd": shop.period_end.isoformat(),
            }
        ]

    def bought(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.paid", lines=self.lines())

    def renewed(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.renewed", lines=self.lines())

    def failed(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.payment_failed")

    def changed(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.renewed", lines=self.lines())

    def canceled(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.canceled")

    def refunded(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.refunded")

    def disputed(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.disputed")

    def won(self) -> Iterator[dict[str, Any]]:
        yield self.event("order.dispute_won")


WORDS: dict[ConnectorKind, Callable[[Shop], Stripe | Paddle | LemonSqueezy | Generic]] = {
    ConnectorKind.STRIPE: Stripe,
    ConnectorKind.PADDLE: Paddle,
    ConnectorKind.LEMON_SQUEEZY: LemonSqueezy,
    ConnectorKind.GENERIC: Generic,
}
"""How each kind of shop tells what happened."""

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

from connectors.tellers import TELLERS
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
        self._tell = TELLERS[self.kind](self)

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

"""The vendor's web shop, which tells a connector what happened."""

import json
from collections.abc import Iterable, Mapping
from itertools import count
from typing import NamedTuple

from standardwebhooks import Webhook

from licet_server.demo.client import Calendar, DemoClient, Json
from licet_server.demo.market import Plan, ShopEvent

LAST_ORDER = 4713
"""The number of the newest order."""


class Message(NamedTuple):
    """A signed message, and where it is sent."""

    path: str
    text: str
    headers: dict[str, str]


class Shop:
    """Writes the messages of a day."""

    def __init__(self, client: DemoClient, calendar: Calendar) -> None:
        self._client = client
        self._calendar = calendar
        self._messages = count(1)
        self._connector: Json = {}
        self._numbers: Mapping[str, int] = {}

    async def open(
        self, plans: Iterable[Plan], policies: Mapping[str, str], events: Iterable[ShopEvent]
    ) -> None:
        """Create the connector with a rule for each plan, and number the orders to come."""
        rules = [
            {
                "match": {"product": plan.sku},
                "policyId": policies[plan.policy],
                "quantityAs": "Seats" if plan.seats else "Licenses",
            }
            for plan in plans
        ]
        body = {"kind": "Generic", "name": "Web shop", "rules": rules}
        self._connector = await self._client.send("POST", "/api/connectors", body)
        orders = list(dict.fromkeys(event.order for event in events))
        first = LAST_ORDER + 1 - len(orders)
        self._numbers = {order: number for number, order in enumerate(orders, start=first)}

    def message(self, event: ShopEvent) -> Message:
        """Return what the shop sends now about an event."""
        data: Json = {"id": str(self._numbers[event.order]), "testMode": event.is_test}
        buyer = event.buyer
        data["customer"] = {"email": buyer.email, "name": buyer.name, "locale": buyer.locale}
        data["lines"] = [{"product": sku, "quantity": quantity} for sku, quantity in event.lines]
        if event.amount is not None:
            data |= {"amount": float(event.amount), "currency": buyer.currency}
        message = {"type": f"order.{event.change}", "timestamp": self._calendar.day(event.day)}
        text, now = json.dumps({**message, "data": data}), self._calendar()
        message_id = f"msg_{next(self._messages)}"
        headers = {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Webhook(self._connector["signingSecret"]).sign(
                message_id, now, text
            ),
        }
        return Message(f"/api/connectors/{self._connector['id']}/inbox", text, headers)

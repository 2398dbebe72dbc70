"""The vendor's web shop: what it sold today waits in the inbox of a connector."""

import json

from standardwebhooks import Webhook

from licet_server.demo import scenario
from licet_server.demo.client import Calendar, DemoClient, Json


async def open_shop(client: DemoClient, calendar: Calendar, policy_id: str) -> None:
    """Create the connector and send it today's sales; a rule is missing for one of them."""
    rule = {"match": {"product": scenario.SHOP_PRODUCT}, "policyId": policy_id}
    body = {"kind": "Generic", "name": "Web shop", "rules": [rule]}
    connector = await client.send("POST", "/api/connectors", body)
    for number, (customer, product) in enumerate(scenario.SHOP_SALES, start=4711):
        await _sell(client, calendar, connector, _order(calendar, str(number), customer, product))


async def _sell(client: DemoClient, calendar: Calendar, connector: Json, order: Json) -> None:
    message = {"type": "order.paid", "timestamp": calendar().isoformat(), "data": order}
    text, message_id, now = json.dumps(message), f"msg_{order['id']}", calendar()
    headers = {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(connector["signingSecret"]).sign(message_id, now, text),
    }
    await client.deliver(f"/api/connectors/{connector['id']}/inbox", text, headers)


def _order(calendar: Calendar, number: str, customer: str, product: str) -> Json:
    email = f"{customer.lower().replace(' ', '.')}@example.com"
    line = {"product": product, "quantity": 1, "periodEnd": calendar.day(365)}
    return {"id": number, "customer": {"email": email, "name": customer}, "lines": [line]}

"""License keys in events: sent only where the webhook says so, and stored in none of them."""

import json
from typing import Any

import pytest
from licenses.factories import issue, make_product
from sqlalchemy import text
from testkit import Owner
from webhooks.factories import Json, deliver, deliveries, make_webhook, shown
from webhooks.receiver import Receiver

from licet_server.kit.platform import Platform

KINDS = ("license.created", "license.updated")


async def create(owner: Owner, receiver: Receiver) -> tuple[Json, Json]:
    """A webhook without keys, and one with them."""
    plain = await make_webhook(owner, receiver.url, *KINDS)
    keys = await make_webhook(owner, receiver.url, *KINDS, includeKeys=True)
    assert (plain["includeKeys"], keys["includeKeys"]) == (False, True)
    return plain, keys


def sent_to(receiver: Receiver, webhook: Json) -> list[Any]:
    return [
        json.loads(item.body) for item in receiver.received if item.signed_by(webhook["secret"])
    ]


@pytest.mark.specification("events.webhooks")
async def test_the_key_is_sent_only_where_the_webhook_says_so(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    plain, keys = await create(owner, receiver)
    made = await issue(owner, await make_product(owner))
    await owner.ok("PUT", f"/api/licenses/{made['id']}", {"licenseName": "Renamed"})
    assert await deliver(platform) == 4
    for webhook, expected in ((plain, None), (keys, made["licenseKey"])):
        sent = {item["type"]: item["data"] for item in sent_to(receiver, webhook)}
        assert set(sent) == set(KINDS)
        assert sent["license.created"].get("licenseKey") == expected
        assert "licenseKey" not in sent["license.updated"]
        assert sent["license.created"]["id"] == made["id"]
        assert made["licenseKey"] not in str(await deliveries(owner, webhook))
    async with platform.database.reading() as db:
        for table in ("events", "webhook_deliveries", "webhooks"):
            stored = await db.execute(text(f"SELECT CAST(t AS text) FROM {table} t"))
            assert made["licenseKey"] not in str(stored.scalars().all()), table


async def test_a_replay_sends_the_key_of_now_and_none_of_a_license_that_is_gone(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    _, webhook = await create(owner, receiver)
    made = await issue(owner, await make_product(owner))
    await deliver(platform)
    [delivery] = await deliveries(owner, webhook)

    async def key_of_replay() -> str | None:
        before = len(sent_to(receiver, webhook))
        await owner.ok("POST", f"/api/webhook-deliveries/{delivery['id']}/replay")
        await deliver(platform)
        [again] = sent_to(receiver, webhook)[before:]
        key: str | None = again["data"].get("licenseKey")
        return key

    rekeyed = await owner.ok("POST", f"/api/licenses/{made['id']}/rekey", {})
    assert rekeyed["licenseKey"] != made["licenseKey"]
    assert await key_of_replay() == rekeyed["licenseKey"]
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"includeKeys": False})
    assert (await shown(owner, webhook))["includeKeys"] is False
    assert await key_of_replay() is None
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"includeKeys": True})
    assert await key_of_replay() == rekeyed["licenseKey"]
    await owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert await key_of_replay() is None


async def test_the_license_of_an_erased_customer_sends_no_key(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    _, webhook = await create(owner, receiver)
    fields = {"institutionId": owner.institution_id, "name": "Ada", "email": "ada@example.com"}
    customer = await owner.ok("POST", "/api/customers", fields)
    await issue(owner, await make_product(owner), issuedTo="ada@example.com")
    await owner.ok("POST", f"/api/customers/{customer['id']}/erase", {"licenses": "Keep"})
    await deliver(platform)
    [created] = [item for item in sent_to(receiver, webhook) if item["type"] == "license.created"]
    assert "licenseKey" not in created["data"]


async def test_an_api_key_has_keys_sent_only_if_it_may_read_them(
    owner: Owner, receiver: Receiver
) -> None:
    plain, keys = await create(owner, receiver)
    body = {"url": receiver.url, "eventTypes": ["*"], "includeKeys": True}
    for scopes, admitted in (
        (["Webhooks.Write"], False),
        (["Webhooks.Write", "Licenses.Read"], True),
    ):
        key = await owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": scopes})
        headers = {"x-api-key": key["secret"]}
        for method, path, sent in (
            ("POST", "/api/webhooks", body),
            ("PUT", f"/api/webhooks/{plain['id']}", {"includeKeys": True}),
            ("PUT", f"/api/webhooks/{keys['id']}", {"url": f"{receiver.url}/x"}),
        ):
            answer = await owner.client.request(method, path, json=sent, headers=headers)
            assert answer.is_success is admitted, answer.text
            assert admitted or "Licenses.Read" in answer.json()["detail"]

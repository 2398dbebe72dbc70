"""Events about Test products say so, in what is sent and in what is shown of it."""

import json

from licenses.factories import issue, make_product
from testkit import Owner
from webhooks.factories import deliver, deliveries, make_webhook
from webhooks.receiver import Receiver

from licet_server.kit.platform import Platform


async def test_events_of_test_products_say_so(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    live = await make_product(owner, name="Live")
    test = await make_product(owner, name="Tests", mode="Test")
    webhook = await make_webhook(owner, receiver.url, "release.published", "license.*")
    for product in (live, test):
        path = f"/api/products/{product['id']}/releases"
        await owner.ok("POST", path, {"version": product["name"], "status": "Published"})
    made = await issue(owner, test)
    await owner.ok("DELETE", f"/api/licenses/{made['id']}")
    await owner.ok("DELETE", f"/api/products/{test['id']}")
    await deliver(platform)
    sent = [json.loads(item.body) for item in receiver.received]
    marks = {(item["type"], item["data"].get("version")): item["test"] for item in sent}
    assert marks["release.published", "Live"] is False
    assert marks["license.created", None] is True
    assert marks["license.deleted", None] is True, "though the product is gone"
    shown = [item["payload"] for item in await deliveries(owner, webhook)]
    assert {(item["type"], item["data"].get("version")): item["test"] for item in shown} == marks


async def test_recent_activity_tells_tests_apart(owner: Owner) -> None:
    licenses = {
        mode: await issue(owner, await make_product(owner, name=mode, mode=mode))
        for mode in ("Live", "Test")
    }
    overview = await owner.ok("GET", f"/api/institutions/{owner.institution_id}/overview")
    marks = {(item["licenseId"], item["test"]) for item in overview["recentActivity"]}
    assert (licenses["Live"]["id"], False) in marks
    assert (licenses["Test"]["id"], True) in marks
    assert (overview["licenses"], {test for _, test in marks}) == (1, {True, False})


async def test_events_of_what_is_in_a_test_product_say_so(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    test = await make_product(owner, name="Tests", mode="Test")
    await make_webhook(owner, receiver.url, "release.published")
    path = f"/api/products/{test['id']}/releases"
    await owner.ok("POST", path, {"version": "2.2.0", "status": "Published"})
    await deliver(platform)
    sent = [json.loads(item.body) for item in receiver.received]
    assert {item["data"]["version"]: item["test"] for item in sent}["2.2.0"] is True

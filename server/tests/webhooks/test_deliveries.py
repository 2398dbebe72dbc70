"""Events arrive at real receivers: signed, exact, and retried until they are accepted or fail."""

import json
import uuid
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import text
from standardwebhooks import Webhook
from structlog.testing import capture_logs
from testkit import FakeClock, Owner
from webhooks.factories import Json, deliver, deliveries, make_webhook, record, shown
from webhooks.receiver import RESET, Receiver, Reply
from world import World

from licet_server import __version__
from licet_server.events.rules.kinds import DELIVERED
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.webhooks.rules import retry_delay
from licet_server.webhooks.service.deliveries import purge_deliveries

SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]


@pytest.mark.specification("events.webhooks")
async def test_an_event_arrives_signed_and_exact(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url, "meter.*")
    amount = Decimal("12345678901234567.123456")
    data: Json = {"amount": amount, "note": "é \u2028 \U0001f600"}
    [subject, _] = await record(platform, owner, "meter.granted", "license.created", data=data)
    with capture_logs() as logs:
        assert await deliver(platform) == 1
    [request] = receiver.received
    assert (request.method, request.path) == ("POST", "/licet?tenant=1")
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["user-agent"] == f"Licet-Webhooks/{__version__}"
    assert request.headers["webhook-timestamp"] == str(int(clock().timestamp()))
    message = Webhook(webhook["secret"]).verify(request.body, request.headers)
    assert set(message) == {"type", "timestamp", "test", "data"}
    assert message["test"] is False
    assert message["type"] == "meter.granted"
    assert datetime.fromisoformat(message["timestamp"]) == clock()
    assert message["timestamp"].endswith("Z")
    exact = json.loads(request.body, parse_float=Decimal)
    assert exact["data"] == {"id": str(subject), **data}
    [delivery] = await deliveries(owner, webhook)
    assert delivery["eventId"] == request.id
    assert (delivery["status"], delivery["attempts"]) == ("Delivered", 1)
    assert (delivery["lastResponseStatus"], delivery["lastError"]) == (200, None)
    assert delivery["nextAttemptAt"] is None
    assert delivery["durationMs"] >= 0
    listed = await owner.send("GET", f"/api/webhooks/{webhook['id']}/deliveries")
    [stored] = json.loads(listed.content, parse_float=Decimal)["items"]
    assert stored["payload"] == exact
    for search in ("meter.", "Meter.granted", delivery["eventId"]):
        assert await deliveries(owner, webhook, search=search) == [delivery]
    for search in ("granted", webhook["id"]):
        assert await deliveries(owner, webhook, search=search) == []
    after = await shown(owner, webhook)
    assert after["lastStatus"] == "Delivered"
    assert datetime.fromisoformat(after["lastDeliveryAt"]) == clock()
    said = str(logs) + str(after)
    assert webhook["secret"] not in said
    assert "tenant=1" not in str(logs)


async def test_deliveries_are_found_by_the_license_that_they_are_about(
    platform: Platform, world: World, receiver: Receiver
) -> None:
    owner = world.owner
    webhook = await make_webhook(owner, receiver.url, "license.created")
    made = await world.issue(licenseName="Render farm", issuedTo="ops@harbor.example")
    await world.issue(licenseName="License office", issuedTo="else@harbor.example")
    await deliver(platform)
    [about] = await deliveries(owner, webhook, search="Ops@harbor.example")
    assert about["payload"]["data"]["id"] == made["id"]
    for search in ("render f", made["licenseKey"], made["licenseKey"][:9].lower()):
        assert await deliveries(owner, webhook, search=search) == [about], search
    assert await deliveries(owner, webhook, search="harbor") == []
    assert len(await deliveries(owner, webhook, search="license")) == 2


async def test_only_subscribed_events_of_the_institution_are_sent(
    platform: Platform, owner: Owner, stranger: Owner, receiver: Receiver
) -> None:
    everything = await make_webhook(owner, receiver.url, "*")
    licenses = await make_webhook(owner, receiver.url, "license.*", "meter.depleted")
    off = await make_webhook(owner, receiver.url, "*", enabled=False)
    elsewhere = await make_webhook(stranger, receiver.url, "*")
    kinds = ("license.created", "meter.granted", "meter.depleted")
    ours = (
        "user.registered",
        "api_key.created",
        "webhook.disabled",
        "webhook.test",
        "product.created",
    )
    await record(platform, owner, *kinds, *ours)
    assert await deliver(platform) == 5
    assert await deliver(platform) == 0

    async def sent(owner: Owner, webhook: Json) -> list[str]:
        return [item["eventType"] for item in await deliveries(owner, webhook)]

    assert await sent(owner, everything) == list(kinds)
    assert await sent(owner, licenses) == ["license.created", "meter.depleted"]
    assert await sent(owner, off) == await sent(stranger, elsewhere) == []
    by_secret = [
        sum(request.signed_by(webhook["secret"]) for request in receiver.received)
        for webhook in (everything, licenses, off, elsewhere)
    ]
    assert by_secret == [3, 2, 0, 0]


async def test_every_delivered_kind_arrives(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    refused = await owner.send("POST", "/api/webhooks", {"url": receiver.url, "eventTypes": ["x"]})
    words = refused.json()["detail"].replace(",", " ").replace(".  ", " ").split()
    known = {word.rstrip(".") for word in words if "." in word.rstrip(".") and "*" not in word}
    assert known == {*DELIVERED, "webhook.test"}
    webhook = await make_webhook(owner, receiver.url, *sorted(known))
    await record(platform, owner, *sorted(known - {"webhook.test"}))
    assert await deliver(platform) == len(known) - 1
    sent = {json.loads(request.body)["type"] for request in receiver.received}
    assert sent == known - {"webhook.test"}
    assert {item["status"] for item in await deliveries(owner, webhook)} == {"Delivered"}


async def test_attempts_follow_the_schedule_until_the_last(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(500, 302, 404, RESET, 503)
    for number, pause in enumerate([*SCHEDULE, None], start=1):
        assert await deliver(platform) == 1
        assert await deliver(platform) == 0, "not before it is due"
        [delivery] = await deliveries(owner, webhook)
        assert delivery["attempts"] == number == len(receiver.received)
        if pause is None:
            assert (delivery["status"], delivery["nextAttemptAt"]) == ("Failed", None)
            break
        assert delivery["status"] == "Pending"
        wait = datetime.fromisoformat(delivery["nextAttemptAt"]) - clock()
        assert timedelta(seconds=pause) <= wait <= timedelta(seconds=pause * 1.1)
        assert wait == retry_delay(number, uuid.UUID(delivery["id"]))
        clock.advance(seconds=wait.total_seconds() - 1)
        assert await deliver(platform) == 0, "not before it is due"
        clock.advance(seconds=1.001)
    assert len(receiver.received) == 10
    assert len({request.id for request in receiver.received}) == 1
    assert len({request.headers["webhook-timestamp"] for request in receiver.received}) == 10
    assert all(request.signed_by(webhook["secret"]) for request in receiver.received)
    clock.advance(days=3)
    assert await deliver(platform) == 0
    assert (await shown(owner, webhook))["enabled"]


async def test_a_later_attempt_may_succeed(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(Reply(500, b"out of order"), Reply(201, b"thanks"))
    await deliver(platform)
    [waiting] = await deliveries(owner, webhook, status="Pending")
    assert (waiting["lastResponseStatus"], waiting["lastResponseBody"]) == (500, "out of order")
    assert waiting["lastError"] == "The receiver responded with 500."
    assert (await shown(owner, webhook))["lastStatus"] == "Failed"
    clock.advance(seconds=6)
    await deliver(platform)
    [done] = await deliveries(owner, webhook, status="Delivered")
    assert (done["attempts"], done["lastResponseBody"], done["lastError"]) == (2, "thanks", None)
    assert datetime.fromisoformat(done["deliveredAt"]) == clock()
    assert await deliveries(owner, webhook, status="Pending") == []
    assert await deliveries(owner, webhook, status="Failed") == []
    odd = await owner.send("GET", f"/api/webhooks/{webhook['id']}/deliveries?status=Nope")
    assert odd.status_code == 400


async def test_410_disables_the_webhook_and_fails_pending_deliveries(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    other = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(500)
    await deliver(platform)
    clock.advance(seconds=1)
    gone = webhook["secret"]
    receiver.answer = lambda request: Reply(410 if request.signed_by(gone) else 200)
    await record(platform, owner, "license.updated")
    await deliver(platform)
    after = await shown(owner, webhook)
    assert (after["enabled"], after["disabledReason"]) == (False, "Gone")
    assert datetime.fromisoformat(after["disabledAt"]) == clock()
    ended = await deliveries(owner, webhook)
    assert [item["status"] for item in ended] == ["Failed", "Failed"]
    assert "410" in ended[0]["lastError"]
    assert ended[1]["lastResponseStatus"] == 410
    assert (await shown(owner, other))["enabled"], "webhooks are independent"
    audit = f"/api/institutions/{owner.institution_id}/audit?kind=webhook.disabled"
    [entry] = (await owner.ok("GET", audit))["items"]
    assert (entry["subjectId"], entry["data"]["reason"]) == (webhook["id"], "Gone")
    assert entry["actorKind"] == "System"

    count = len(receiver.received)
    clock.advance(hours=2)
    await owner.sign_in()
    await record(platform, owner, "license.deleted")
    await deliver(platform)
    assert not any(request.signed_by(gone) for request in receiver.received[count:])
    back = await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": True})
    assert (back["enabled"], back["disabledReason"], back["disabledAt"]) == (True, None, None)
    receiver.says(200)
    await record(platform, owner, "license.created")
    await deliver(platform)
    assert receiver.received[-1].signed_by(gone) or receiver.received[-2].signed_by(gone)


async def test_five_days_of_failures_disable_the_webhook(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    receiver.says(500)
    for _ in range(4):
        await record(platform, owner, "license.created")
        await deliver(platform)
        clock.advance(hours=29)
    receiver.says(200)
    await record(platform, owner, "license.created")
    await deliver(platform)
    receiver.says(500)
    for _ in range(5):
        await record(platform, owner, "license.created")
        await deliver(platform)
        assert (await shown(owner, webhook))["enabled"], "a success resets the failures"
        clock.advance(hours=24)
    await record(platform, owner, "license.created")
    await deliver(platform)
    after = await shown(owner, webhook)
    assert (after["enabled"], after["disabledReason"]) == (False, "Failing")
    assert await deliveries(owner, webhook, status="Pending") == []
    audit = f"/api/institutions/{owner.institution_id}/audit?kind=webhook.disabled"
    [entry] = (await owner.ok("GET", audit))["items"]
    assert entry["data"]["reason"] == "Failing"
    # Turned on again, it has five days again.
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": True})
    await record(platform, owner, "license.created")
    await deliver(platform)
    assert (await shown(owner, webhook))["enabled"]


async def test_both_secrets_sign_for_a_day(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    path = f"/api/webhooks/{webhook['id']}"
    second = (await owner.ok("POST", f"{path}/rotate-secret"))["secret"]
    await record(platform, owner, "license.created")
    await deliver(platform)
    [request] = receiver.received
    assert len(request.headers["webhook-signature"].split(" ")) == 2
    for secret in (webhook["secret"], second):
        Webhook(secret).verify(request.body, request.headers)
    assert "secret" not in await shown(owner, webhook)

    clock.advance(hours=24, seconds=-1)
    await record(platform, owner, "license.created")
    await deliver(platform)
    assert receiver.received[-1].signed_by(webhook["secret"])
    clock.advance(seconds=1)
    await record(platform, owner, "license.created")
    await deliver(platform)
    assert not receiver.received[-1].signed_by(webhook["secret"])
    assert receiver.received[-1].signed_by(second)
    await owner.sign_in()
    third = (await owner.ok("POST", f"{path}/rotate-secret"))["secret"]
    fourth = (await owner.ok("POST", f"{path}/rotate-secret"))["secret"]
    await record(platform, owner, "license.created")
    await deliver(platform)
    signed = [receiver.received[-1].signed_by(secret) for secret in (second, third, fourth)]
    assert signed == [False, True, True]


async def test_a_test_event_goes_to_the_tested_webhook_only(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url, "meter.depleted")
    await make_webhook(owner, receiver.url, "*")
    answer = await owner.send("POST", f"/api/webhooks/{webhook['id']}/test")
    assert answer.status_code == 202
    made = answer.json()
    assert (made["status"], made["eventType"]) == ("Pending", "webhook.test")
    await deliver(platform)
    [request] = receiver.received
    message = Webhook(webhook["secret"]).verify(request.body, request.headers)
    assert message == made["payload"]
    assert message["type"] == "webhook.test"
    assert message["data"] == {"webhookId": webhook["id"]}
    [delivery] = await deliveries(owner, webhook)
    assert (delivery["id"], delivery["status"]) == (made["id"], "Delivered")
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": False})
    refused = await owner.send("POST", f"/api/webhooks/{webhook['id']}/test")
    assert (refused.status_code, refused.json()["errorCode"]) == (409, "Conflict")


async def test_a_replay_is_a_new_delivery_of_the_same_message(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(410)
    await deliver(platform)
    [failed] = await deliveries(owner, webhook)
    replay = f"/api/webhook-deliveries/{failed['id']}/replay"
    refused = await owner.send("POST", replay)
    assert (refused.status_code, refused.json()["errorCode"]) == (409, "Conflict")
    await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": True})
    receiver.says(200)
    clock.advance(seconds=30)
    answer = await owner.send("POST", replay)
    assert answer.status_code == 202
    made = answer.json()
    assert made["id"] != failed["id"]
    assert (made["eventId"], made["payload"]) == (failed["eventId"], failed["payload"])
    again = await owner.send("POST", f"/api/webhook-deliveries/{made['id']}/replay")
    assert (again.status_code, again.json()["errorCode"]) == (409, "Conflict"), "still pending"
    await deliver(platform)
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert [item["status"] for item in await deliveries(owner, webhook)] == ["Failed", "Delivered"]


async def test_disabled_and_deleted_webhooks_receive_nothing(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    off, deleted = await make_webhook(owner, receiver.url), await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(500)
    assert await deliver(platform) == 2
    await owner.ok("PUT", f"/api/webhooks/{off['id']}", {"enabled": False})
    await owner.ok("DELETE", f"/api/webhooks/{deleted['id']}")
    [ended] = await deliveries(owner, off)
    assert (ended["status"], ended["lastError"]) == ("Failed", "The webhook was disabled.")
    gone = await owner.send("GET", f"/api/webhooks/{deleted['id']}/deliveries")
    assert gone.status_code == 404
    clock.advance(hours=1)
    await record(platform, owner, "license.created")
    assert await deliver(platform) == 0
    await owner.sign_in()
    await owner.ok("PUT", f"/api/webhooks/{off['id']}", {"enabled": True})
    assert await deliver(platform) == 0, "failed deliveries are not retried"


async def test_settled_deliveries_are_purged_after_30_days(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created", "license.updated")
    receiver.says(200, 500)
    await deliver(platform)
    clock.advance(days=29)
    assert await purge_deliveries(platform) == 0
    clock.advance(days=1, seconds=1)
    assert await purge_deliveries(platform) == 1
    [waiting] = await deliveries(owner, webhook)
    assert waiting["status"] == "Pending"


async def test_attempts_are_counted(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    def counted(name: str, **labels: str) -> float:
        found = platform.metrics.registry.get_sample_value(f"licet_webhook_{name}", labels)
        return found or 0.0

    def figures() -> list[float]:
        outcomes = ("delivered", "postponed", "failed")
        attempts = [counted("attempts_total", outcome=outcome) for outcome in outcomes]
        counts = [counted(f"{name}_seconds_count") for name in ("delay", "attempt")]
        return [*attempts, *counts, counted("delay_seconds_sum")]

    before = figures()
    await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    receiver.says(500, 200, 410)
    clock.advance(seconds=100)
    await deliver(platform)
    clock.advance(seconds=10)
    await deliver(platform)
    await record(platform, owner, "license.created")
    await deliver(platform)
    *counts, delay = (after - earlier for after, earlier in zip(figures(), before, strict=True))
    assert counts == [1, 1, 1, 3, 3]
    assert delay > 100


async def test_secrets_are_encrypted_and_survive_a_rotation_of_the_master_key(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    from licet_server.rotation import _reseal_all

    webhook = await make_webhook(owner, receiver.url)
    second = (await owner.ok("POST", f"/api/webhooks/{webhook['id']}/rotate-secret"))["secret"]
    async with platform.database.reading() as db:
        stored = str((await db.execute(text("SELECT w::text FROM webhooks w"))).scalar())
    for secret in (webhook["secret"], second):
        assert secret not in stored
        assert secret.encode().hex() not in stored
    said: list[str] = []
    async with platform.unit_of_work(CONSOLE) as work:
        await _reseal_all(work, said.append)
    assert "Resealing webhooks.secret" in said
    assert "Resealing webhooks.previous_secret" in said
    await record(platform, owner, "license.created")
    await deliver(platform)
    assert all(receiver.received[0].signed_by(secret) for secret in (webhook["secret"], second))

"""No delivery is lost or stuck, even if processes die or work concurrently."""

import asyncio
from collections import Counter
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from locks import WAITING
from testkit import FakeClock, Owner
from webhooks.factories import deliver, deliveries, make_webhook, record, shown
from webhooks.receiver import Receiver, Reply

from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.webhooks.rules import Webhook
from licet_server.webhooks.service import delivering
from licet_server.webhooks.service.deliveries import create_deliveries
from licet_server.webhooks.service.delivering import deliver_webhooks
from licet_server.webhooks.storage import webhooks as storage
from licet_server.webhooks.storage.deliveries import claim_due
from licet_server.webhooks.tables import webhooks
from licet_server.worker import dispatch_events

SUBSCRIBERS = "licet_server.worker.SUBSCRIBERS"


async def sent_by_three(platform: Platform, owner: Owner, receiver: Receiver) -> Counter[str]:
    """How often each of 40 deliveries arrives if three processes send at once."""
    await make_webhook(owner, receiver.url)
    await make_webhook(owner, receiver.url)
    await record(platform, owner, *["license.created"] * 20)
    await dispatch_events(platform)

    async def slowly(_request: Any) -> Reply:
        await asyncio.sleep(0)
        return Reply()

    receiver.answer = slowly
    await asyncio.gather(*(deliver_webhooks(platform) for _ in range(3)))
    return Counter(f"{request.id} {request.headers['webhook-signature']}"
                   for request in receiver.received)  # fmt: skip


async def test_concurrent_senders_send_different_deliveries(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    arrived = await sent_by_three(platform, owner, receiver)
    assert len(arrived) == arrived.total() == 40


async def test_without_a_lease_they_would_send_the_same_deliveries(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""
    monkeypatch.setattr(delivering, "LEASE", timedelta())
    arrived = await sent_by_three(platform, owner, receiver)
    assert len(arrived) == 40
    assert arrived.total() > 40


async def test_deliveries_of_a_dead_process_are_sent_after_the_lease(
    platform: Platform, owner: Owner, receiver: Receiver, clock: FakeClock
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    await dispatch_events(platform)
    async with platform.database.reading() as db:
        assert len(await claim_due(db, clock(), delivering.LEASE, [], 10)) == 1
    assert await deliver(platform) == 0
    clock.advance(seconds=59)
    assert await deliver(platform) == 0
    clock.advance(seconds=1)
    assert await deliver(platform) == 1
    [delivery] = await deliveries(owner, webhook)
    assert (delivery["status"], delivery["attempts"]) == ("Delivered", 1)


async def test_a_delivery_that_was_sent_but_not_settled_is_sent_again(
    platform: Platform,
    owner: Owner,
    receiver: Receiver,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")

    async def die(*_: Any) -> Any:
        raise OSError("the process died")

    with monkeypatch.context() as patched:
        patched.setattr(delivering, "settle", die)
        with pytest.raises(OSError, match="died"):
            await deliver(platform)
    clock.advance(seconds=60)
    assert await deliver(platform) == 1
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)


async def test_an_event_that_arrived_counts_as_delivered_even_if_the_webhook_was_disabled(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created", "license.updated")

    async def turn_off(request: Any) -> Reply:
        await owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": False})
        return Reply(200 if request.number == 0 else 410)

    receiver.answer = turn_off
    assert await deliver(platform) == 2
    assert Counter(item["status"] for item in await deliveries(owner, webhook)) == {
        "Delivered": 1,
        "Failed": 1,
    }
    after = await shown(owner, webhook)
    assert (after["enabled"], after["disabledReason"]) == (False, None)


async def disable_while_dispatching(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the status of a delivery whose webhook is disabled while it is being created."""
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    made, committing = asyncio.Event(), asyncio.Event()

    async def create_slowly(db: Connection, *rest: Any) -> None:
        await create_deliveries(db, *rest)
        made.set()
        await committing.wait()

    monkeypatch.setattr(SUBSCRIBERS, (create_slowly,))
    dispatching = asyncio.create_task(dispatch_events(platform))
    await made.wait()
    path = f"/api/webhooks/{webhook['id']}"
    turning = asyncio.create_task(owner.ok("PUT", path, {"enabled": False}))
    waiting = asyncio.create_task(_somebody_waits(platform))
    await asyncio.wait({turning, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    committing.set()
    await dispatching
    await turning
    return [item["status"] for item in await deliveries(owner, webhook)]


async def _somebody_waits(platform: Platform) -> None:
    """Return once a statement waits for a lock that another transaction holds."""
    while True:
        async with platform.database.reading() as db:
            if (await db.execute(WAITING)).scalar():
                return


async def test_disabling_fails_deliveries_that_are_being_created(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await disable_while_dispatching(platform, owner, receiver, monkeypatch) == ["Failed"]


async def test_without_locking_the_webhook_they_would_stay_pending(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: the delivery of a disabled webhook stays pending forever."""

    async def look(db: Connection, institutions: Collection[UUID]) -> list[Webhook]:
        statement = storage.WEBHOOKS.select(webhooks.c.institution_id.in_(institutions))
        return await storage.WEBHOOKS.all(db, statement)

    monkeypatch.setattr(storage, "lock_enabled", look)
    assert await disable_while_dispatching(platform, owner, receiver, monkeypatch) == ["Pending"]


async def change_while_settling(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, look: Any
) -> bool:
    """Tell whether a webhook that was disabled during settling is enabled afterwards."""
    webhook = await make_webhook(owner, receiver.url)
    await record(platform, owner, "license.created")
    changing: list[asyncio.Task[Any]] = []

    async def look_and_wait(db: Connection, keys: Any) -> list[Webhook]:
        found: list[Webhook] = await look(db, keys)
        change = owner.ok("PUT", f"/api/webhooks/{webhook['id']}", {"enabled": False})
        changing.append(asyncio.create_task(change))
        waiting = asyncio.create_task(_somebody_waits(platform))
        await asyncio.wait({changing[0], waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        return found

    monkeypatch.setattr(storage, "lock_webhooks", look_and_wait)
    assert await deliver(platform) == 1
    await changing[0]
    after = await shown(owner, webhook)
    assert after["lastStatus"] == "Delivered"
    return bool(after["enabled"])


async def test_settling_does_not_undo_the_change_of_an_operator(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = storage.lock_webhooks
    assert not await change_while_settling(platform, owner, receiver, monkeypatch, look)


async def test_without_a_lock_settling_would_undo_it(
    platform: Platform, owner: Owner, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""

    async def look(db: Connection, keys: Collection[tuple[UUID, UUID]]) -> list[Webhook]:
        [(institution_id, webhook_id)] = set(keys)
        statement = storage.WEBHOOKS.select(
            webhooks.c.institution_id == institution_id, webhooks.c.id == webhook_id
        )
        return await storage.WEBHOOKS.all(db, statement)

    assert await change_while_settling(platform, owner, receiver, monkeypatch, look)


async def test_webhooks_of_one_batch_are_locked_in_one_order(
    platform: Platform, owner: Owner, receiver: Receiver
) -> None:
    """Several senders settle for the same webhooks at once, without a deadlock."""
    for _ in range(6):
        await make_webhook(owner, receiver.url)
    receiver.answer = lambda request: Reply(500 if request.number % 3 == 0 else 200)
    await record(platform, owner, *["license.created"] * 15)
    await dispatch_events(platform)
    ended = await asyncio.gather(*(deliver_webhooks(platform) for _ in range(4)))
    assert sum(ended) == 90 == len(receiver.received)

"""Webhooks of the real service: every event arrives, however often it is killed meanwhile."""

import asyncio
import secrets
import signal
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from e2e.load import issuing, stored_licenses
from e2e.process import ADMIN, NewService, Service, descendants_of, lives
from e2e.vendor import make_vendor
from patience import eventually
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from standardwebhooks import Webhook
from volumes import is_long
from webhooks.receiver import HANG, RESET, Receiver, Reply, Request, receiving_in_a_thread

from licet_server.kit.clock import system_clock
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.webhooks.service.delivering import LEASE

EVENTS, KILLS = (90, 3) if is_long() else (30, 1)
ARRIVAL_S = 240.0
"""A lease of what a killed process held, the pause after a failure, a hanging answer, and more."""


@dataclass
class Chaos:
    """Answers the first attempt of some messages badly, in every way; later ones well."""

    forbidden: str
    secret: str = ""
    taken: Counter[str] = field(default_factory=Counter)
    licenses: set[str] = field(default_factory=set)
    said: Counter[str] = field(default_factory=Counter)
    _seen: set[str] = field(default_factory=set)

    def answer(self, request: Request) -> Reply:
        told = Webhook(self.secret).verify(request.body, request.headers)
        is_new = request.id not in self._seen
        # Steps of 37 come through all moods in a few messages, in no obvious order.
        mood = len(self._seen) * 37 % 100 if is_new else 100
        self._seen.add(request.id)
        name, reply = next((name, reply) for below, name, reply in self._moods() if mood < below)
        self.said[name] += 1
        if 200 <= reply.status < 300:
            self.taken[request.id] += 1
            self.licenses.add(told["data"]["id"])
        return reply

    def _moods(self) -> list[tuple[int, str, Reply]]:
        elsewhere = {"location": self.forbidden}
        return [
            (12, "500", Reply(500, b"out of order")),
            (20, "reset", RESET),
            (26, "hang", HANG),
            (32, "redirect", Reply(307, headers=elsewhere)),
            (101, "taken", Reply(204)),
        ]


@pytest.mark.specification("events.webhooks")
@pytest.mark.timeout(600)
def test_every_event_arrives_through_chaos_and_kills(
    new_embedded_service: NewService,
) -> None:
    service = new_embedded_service(**ADMIN, LICET_WEBHOOKS_ALLOW_PRIVATE="true")
    service.start()
    with (
        receiving_in_a_thread() as receiver,
        receiving_in_a_thread() as forbidden,
        service.sign_in() as owner,
    ):
        chaos = Chaos(forbidden.url)
        receiver.answer = chaos.answer
        vendor = make_vendor(owner)
        body = {"url": receiver.url, "eventTypes": ["license.created"]}
        webhook: Any = vendor.ok("POST", "/api/webhooks", body)
        chaos.secret = webhook["secret"]
        with issuing(service, vendor, clients=1) as seen:
            for number in range(KILLS):
                count = EVENTS * number // KILLS + secrets.randbelow(EVENTS // KILLS)
                eventually(partial(seen.has_acknowledged, count), "some events")
                _kill(service)
                restarted_at = system_clock()
                service.start()
            eventually(lambda: len(seen.acknowledged) >= EVENTS, "all events")
        _end_leases_before(service, restarted_at)
        made = stored_licenses(vendor).keys()
        assert made >= seen.acknowledged.keys()
        missing = made - chaos.licenses
        eventually(lambda: made <= chaos.licenses, "every event has arrived", ARRIVAL_S)
        repeated = sum(count - 1 for count in chaos.taken.values())
        print(
            f"{len(made)} events, {KILLS} kills, {len(missing)} still under way at the end; "
            f"{repeated} came twice or more; {dict(chaos.said)}; "
            f"{forbidden.connections} forbidden connections"
        )
        assert forbidden.connections == 0
        assert len(chaos.said) == 5, "every mood was met"
        assert "Traceback" not in service.output()
        _check_that_the_setting_is_asked_at_each_connection(service, receiver)


def _kill(service: Service) -> None:
    """End the service and its database, as a power cut does."""
    assert service.process is not None
    children = descendants_of(service.process.pid)
    service.send(signal.SIGKILL)
    eventually(lambda: not any(map(lives, children)), "the database ends")


def _end_leases_before(service: Service, restarted_at: datetime) -> None:
    """End the leases of killed processes at once, instead of waiting for a minute."""
    statement = """
        UPDATE webhook_deliveries SET due_at = now()
        WHERE status = 'Pending' AND due_at > now() + interval '10 seconds' AND due_at < :until
    """

    async def end() -> None:
        with EmbeddedPostgres(service.folder, log=lambda _: None) as cluster:
            assert cluster.attached
            engine = create_async_engine(cluster.url)
            async with engine.begin() as db:
                await db.execute(text(statement), {"until": restarted_at + LEASE})
            await engine.dispose()

    asyncio.run(end())


def _check_that_the_setting_is_asked_at_each_connection(
    service: Service, receiver: Receiver
) -> None:
    """The same webhook, but the service does not go to this machine any more."""
    service.stop()
    service.variables = dict(ADMIN)
    before = receiver.connections
    service.start()
    with service.sign_in() as owner:
        [webhook] = owner.get("/api/webhooks").raise_for_status().json()["items"]
        path = f"/api/webhooks/{webhook['id']}"
        made = owner.post(f"{path}/test").raise_for_status().json()

        def refused() -> bool:
            listed = owner.get(f"{path}/deliveries").raise_for_status().json()["items"]
            [found] = [item for item in listed if item["id"] == made["id"]]
            return "not public" in (found["lastError"] or "")

        eventually(refused, "the target is refused")
    assert receiver.connections == before

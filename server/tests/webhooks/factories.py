"""Webhooks, events, and the background work that delivers the events to the webhooks."""

import uuid
from typing import Any

from testkit import Owner

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.webhooks.service.delivering import deliver_webhooks
from licet_server.worker import dispatch_events

Json = dict[str, Any]


async def make_webhook(owner: Owner, url: str, *event_types: str, **fields: Any) -> Json:
    body = {"url": url, "eventTypes": list(event_types or ["*"]), **fields}
    made: Json = await owner.ok("POST", "/api/webhooks", body)
    return made


async def record(
    platform: Platform, owner: Owner, *kinds: str, data: Json | None = None
) -> list[uuid.UUID]:
    """Record events of these kinds; returns their subjects."""
    institution = uuid.UUID(owner.institution_id)
    async with platform.unit_of_work(Origin()) as work:
        subjects = [work.new_id() for _ in kinds]
        events = [
            Event(EventKind(kind), institution, subject, {"id": subject, **(data or {})})
            for kind, subject in zip(kinds, subjects, strict=True)
        ]
        await record_events(work, events)
    return subjects


async def deliver(platform: Platform) -> int:
    """Deliver everything that is due; returns the number of attempts."""
    await dispatch_events(platform)
    return await deliver_webhooks(platform)


async def deliveries(owner: Owner, webhook: Json, **query: str) -> list[Json]:
    """Oldest first."""
    await owner.sign_in()  # tests travel beyond the life of a token
    path = f"/api/webhooks/{webhook['id']}/deliveries"
    listed = await owner.ok("GET", path, params={"pageSize": "100", "sort": "createdAt", **query})
    items: list[Json] = listed["items"]
    return items


async def shown(owner: Owner, webhook: Json) -> Json:
    await owner.sign_in()
    found: Json = await owner.ok("GET", f"/api/webhooks/{webhook['id']}")
    return found

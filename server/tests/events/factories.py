"""Events of any kind, recorded or as they are read back."""

import uuid
from typing import Any

from testkit import Owner

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, RecordedEvent
from licet_server.events.service.recording import record_events
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform


async def record(platform: Platform, *events: Event) -> None:
    async with platform.unit_of_work(Origin()) as work:
        await record_events(work, events)


def event_of(
    owner: Owner, kind: str, data: dict[str, Any] | None = None, subject_id: str | None = None
) -> Event:
    """An event about the institution itself, or about another subject in it."""
    return Event(
        EventKind(kind),
        institution_id=uuid.UUID(owner.institution_id),
        subject_id=uuid.UUID(subject_id or owner.institution_id),
        data=data or {},
    )


def recorded_event(platform: Platform, owner: Owner, kind: str) -> RecordedEvent:
    """An event as a subscriber receives it, without a row."""
    institution_id = uuid.UUID(owner.institution_id)
    return RecordedEvent(
        institution_id=institution_id,
        id=new_id(platform.clock()),
        kind=EventKind(kind),
        occurred_at=platform.clock(),
        subject_id=institution_id,
        subject_name=None,
        license_id=None,
        product_id=None,
        data_json="{}",
        changes_json=None,
        actor_kind="System",
        actor_id=None,
        actor_name=None,
        ip_address=None,
        request_id=None,
    )

"""Writes events; their readers come with the projections."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import insert

from licet_server.kit.database import Connection
from licet_server.kit.events.tables import events
from licet_server.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class Origin:
    """Who caused a change, from where, in which request."""

    actor_kind: Literal["User", "ApiKey", "ProductKey", "System"] = "System"
    actor_id: UUID | None = None
    actor_name: str | None = None
    ip_address: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in an institution.

    `data` is what a subscriber is told; `changes` is what the audit log adds:
    `{field: [before, after]}`. Neither holds a secret.
    """

    kind: str
    institution_id: UUID
    subject_id: UUID
    data: Mapping[str, object]
    product_id: UUID | None = None
    changes: Mapping[str, object] | None = None


async def record(db: Connection, event: Event, origin: Origin, now: datetime) -> UUID:
    """Store the event in the caller's transaction and answer its id."""
    event_id = new_id(now)
    await db.execute(
        insert(events).values(
            institution_id=event.institution_id,
            id=event_id,
            kind=event.kind,
            occurred_at=now,
            subject_id=event.subject_id,
            product_id=event.product_id,
            data=dict(event.data),
            changes=dict(event.changes) if event.changes is not None else None,
            actor_kind=origin.actor_kind,
            actor_id=origin.actor_id,
            actor_name=origin.actor_name,
            ip_address=origin.ip_address,
            request_id=origin.request_id,
        )
    )
    return event_id

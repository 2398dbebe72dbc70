"""How much of a recorded event is told to whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.audit.rules.model import Record

WITHHELD = frozenset({"ipAddress", "attemptedHardwareId", "boundHardwareId"})
"""What an event says of a foreign machine; access attempts are for Owners and Admins."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event as somebody is told of it; what he may not know is `None`."""

    id: UUID
    kind: str
    occurred_at: datetime
    subject_id: UUID
    data: Mapping[str, object]
    actor_kind: str | None = None
    actor_name: str | None = None
    changes: Mapping[str, object] | None = None


def told_in_full(item: Record) -> Told:
    """For whoever may read the audit log."""
    return Told(
        item.id,
        item.kind,
        item.occurred_at,
        item.subject_id,
        item.data,
        item.actor_kind,
        item.actor_name,
        item.changes,
    )


def told_in_part(item: Record) -> Told:
    """For others: not who did it, nor what was there before, nor from where a machine came."""
    data = {name: value for name, value in item.data.items() if name not in WITHHELD}
    return Told(item.id, item.kind, item.occurred_at, item.subject_id, data)

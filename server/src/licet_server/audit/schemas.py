"""Wire shapes of the audit log, and of the events of a license."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, convert

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent, SealedEvent


class AuditEntryView(Struct, rename="camel", kw_only=True):
    """An entry of the audit log: who did what, from where, when.

    `changes` holds `{field: [before, after]}`. `sealNumber` is the place in the institution's
    chain; it is null until the event is sealed, a moment later.
    """

    id: UUID
    kind: EventKind
    occurred_at: datetime
    actor_kind: str
    actor_id: UUID | None
    actor_name: str | None
    ip_address: str | None
    request_id: str | None
    subject_id: UUID
    product_id: UUID | None
    changes: Mapping[str, Any] | None
    data: Mapping[str, Any]
    seal_number: int | None


class LicenseEventView(Struct, rename="camel", kw_only=True):
    """An event of a license or customer; `changes` holds `{field: [before, after]}`.

    `actorKind`, `actorName` and `changes` are null for those who may not read the audit log.
    """

    id: UUID
    type: EventKind
    occurred_at: datetime
    actor_kind: str | None
    actor_name: str | None
    subject_id: UUID
    data: Mapping[str, Any]
    changes: Mapping[str, Any] | None


def audit_view(item: SealedEvent) -> AuditEntryView:
    """Return an entry of the audit log as it is on the wire."""
    return convert(item, AuditEntryView, from_attributes=True)


def license_event_view(event: RecordedEvent, *, reads_audit_log: bool) -> LicenseEventView:
    """Return an event of a license as it is on the wire."""
    return LicenseEventView(
        id=event.id,
        type=event.kind,
        occurred_at=event.occurred_at,
        actor_kind=event.actor_kind if reads_audit_log else None,
        actor_name=event.actor_name if reads_audit_log else None,
        subject_id=event.subject_id,
        data=event.data,
        changes=event.changes if reads_audit_log else None,
    )

"""Wire shapes of the audit log, and of the events of a license."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent, SealedEvent
from licet_server.kit.web.views import view_of


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


class ClockEventView(LicenseEventView, kw_only=True):
    """An event of a Test product; `at` is where its clock stood, `occurredAt` the real time."""

    at: datetime


def audit_view(item: SealedEvent) -> AuditEntryView:
    """Return an entry of the audit log as it is on the wire."""
    return view_of(AuditEntryView, item)


_NOT_SHOWN = {"actor_kind": None, "actor_name": None, "changes": None}


def license_event_view(event: RecordedEvent, *, reads_audit_log: bool) -> LicenseEventView:
    """Return an event of a license as it is on the wire."""
    shown = {} if reads_audit_log else _NOT_SHOWN
    return view_of(LicenseEventView, event, type=event.kind, **shown)


def clock_event_view(event: RecordedEvent, *, reads_audit_log: bool) -> ClockEventView:
    """Return an event of a Test product as it is on the wire."""
    shown = {} if reads_audit_log else _NOT_SHOWN
    at = event.data["clock"]
    return view_of(ClockEventView, event, type=event.kind, at=at, **shown)

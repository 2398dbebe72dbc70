"""Wire shapes of the audit log, and of the events of a license."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from licet_server.audit.rules.disclosure import Told
from licet_server.audit.rules.model import Record


class AuditView(Struct, rename="camel"):
    """Who did what to what, from where, when. `changes` holds `{field: [before, after]}`.

    `sealNumber` is the place in the institution's chain, null for the moment until it has one.
    """

    id: UUID
    kind: str
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


class LicenseEventView(Struct, rename="camel"):
    """Something that happened to a license; `changes` holds `{field: [before, after]}`.

    Who did it and `changes` are null for those who may not read the audit log.
    """

    id: UUID
    type: str
    occurred_at: datetime
    actor_kind: str | None
    actor_name: str | None
    subject_id: UUID
    data: Mapping[str, Any]
    changes: Mapping[str, Any] | None


def license_event_view(item: Told) -> LicenseEventView:
    """An event of a license on the wire."""
    return LicenseEventView(
        id=item.id,
        type=item.kind,
        occurred_at=item.occurred_at,
        actor_kind=item.actor_kind,
        actor_name=item.actor_name,
        subject_id=item.subject_id,
        data=item.data,
        changes=item.changes,
    )


def audit_view(item: Record) -> AuditView:
    """An entry of the audit log on the wire."""
    return AuditView(
        id=item.id,
        kind=item.kind,
        occurred_at=item.occurred_at,
        actor_kind=item.actor_kind,
        actor_id=item.actor_id,
        actor_name=item.actor_name,
        ip_address=item.ip_address,
        request_id=item.request_id,
        subject_id=item.subject_id,
        product_id=item.product_id,
        changes=item.changes,
        data=item.data,
        seal_number=item.seal_number,
    )

"""Events about leases; hardware IDs are masked."""

from licet_server.devices.rules.model import masked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.kit.amounts import plain
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.leases.rules.model import Lease


async def record_lease(work: UnitOfWork, kind: EventKind, lease: Lease) -> None:
    """Record an event about a lease in the transaction of the change."""
    await record_events(work, [lease_event(kind, lease)])


def lease_event(kind: EventKind, lease: Lease) -> Event:
    """Return the event of a kind about a lease, to be recorded with others."""
    return Event(
        kind,
        institution_id=lease.institution_id,
        subject_id=lease.id,
        product_id=lease.product_id,
        data={
            "id": lease.id,
            "licenseId": lease.license_id,
            "productId": lease.product_id,
            "sessionId": lease.session_id,
            "kind": lease.kind,
            "seq": lease.seq,
            "quantity": plain(lease.quantity),
            "held": plain(lease.held) if lease.is_credits else None,
            "hardwareId": masked(lease.hardware_id),
            "deviceName": lease.device_name,
            "issuedAt": lease.issued_at,
            "endsAt": lease.ends_at,
            "endedAt": lease.ended_at,
            "endReason": lease.end_reason,
        },
    )

"""Events about offline requests; hardware IDs are masked."""

from datetime import timedelta

from msgspec.structs import replace

from licet_server.devices.rules.model import masked, new_activation
from licet_server.devices.service.keys import record_clone
from licet_server.devices.service.offline import find_device
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics, record_event
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.offline.rules.model import OfflineRequest, StoredState

WAITING_INTERVAL = timedelta(hours=1)


async def record_request(work: UnitOfWork, kind: EventKind, row: OfflineRequest) -> None:
    """Record an event about a request in the transaction of the change."""
    await record_event(
        work,
        kind,
        institution_id=row.institution_id,
        subject_id=row.license_id,
        product_id=row.product_id,
        data={
            "requestId": row.id,
            "licenseId": row.license_id,
            "productId": row.product_id,
            "kind": row.kind,
            "state": row.state,
            "seq": row.seq,
            "hardwareId": masked(row.hardware_id),
            "deviceName": row.device_name,
            "appVersion": row.app_version,
            "endsAt": row.file_ends_at,
            "reason": row.reason,
        },
    )


async def record_waiting(
    work: UnitOfWork, row: OfflineRequest, before: OfflineRequest | None
) -> None:
    """Record that a request waits, of which operators get mail.

    In place of one that waited already, once an hour for each device: whoever knows the key could
    send any number of them.
    """
    if before is not None and before.state is StoredState.WAITING:
        topic = (row.institution_id, f"offline-requested:{row.license_id}:{row.jkt}")
        if not await claim_topics(work.db, [topic], WAITING_INTERVAL, work.recorded_at):
            return
    await record_request(work, EventKind.ACTIVATION_OFFLINE_REQUESTED, row)


async def record_outdated(work: UnitOfWork, license_: License, row: OfflineRequest) -> None:
    """Record that a device asked with an older state than its newest, once a day.

    A device that is not activated, or no longer, is described by its request.
    """
    own = await find_device(work, license_, row.device)
    if own is None:
        asked = new_activation(license_, row.device, row.id, row.asked_at, holds_seat=False)
        own = replace(asked, jkt=row.jkt)
    await record_clone(work, own)

"""Events about devices; hardware IDs are masked."""

from collections.abc import Sequence

from licet_server.devices.rules.model import AccessAttempt, Activation, masked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, facts_of
from licet_server.events.service.recording import record_events
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseTerms


async def record_device_event(
    work: UnitOfWork,
    kind: EventKind,
    item: Activation,
    *,
    reason: str | None = None,
    changed: Sequence[str] = (),
) -> None:
    """Record an event about a device in the transaction of the change.

    `changed` names the components that became others.
    """
    await record_events(work, [device_event(kind, item, reason=reason, changed=changed)])


def device_event(
    kind: EventKind, item: Activation, *, reason: str | None = None, changed: Sequence[str] = ()
) -> Event:
    """Return the event of a kind about a device, to be recorded with others."""
    data = {
        "id": item.id,
        "licenseId": item.license_id,
        "productId": item.product_id,
        "hardwareId": masked(item.hardware_id),
        "deviceName": item.device_name,
        "os": item.os,
        "appVersion": item.app_version,
        "status": item.status,
        "seatFreeAt": item.seat_free_at,
        **({} if reason is None else {"reason": reason}),
        **({"changed": list(changed)} if changed else {}),
    }
    return Event(kind, item.institution_id, item.id, data, item.product_id)


def limit_event(license_: License | LicenseTerms, *, used: int, total: int) -> Event:
    """Return the event of a device that was rejected because all seats are taken."""
    ids = {"licenseId": license_.id, "productId": license_.product_id}
    data = {**ids, "seatsUsed": used, "seatsTotal": total}
    kind = EventKind.ACTIVATION_LIMIT_REACHED
    return Event(kind, license_.institution_id, license_.id, data, license_.product_id)


def attempt_event(kind: EventKind, item: AccessAttempt) -> Event:
    """Return the event of a kind about a device's tries to use a license bound to another."""
    times = {"first_seen_at", "last_seen_at", "alerted_on", "reviewed_at"}
    data = {
        **facts_of(item, omit={"institution_id", *times}),
        "attemptedHardwareId": masked(item.attempted_hardware_id),
        "boundHardwareId": masked(item.bound_hardware_id),
        "reviewed": item.reviewed_at is not None,
    }
    return Event(kind, item.institution_id, item.id, data, item.product_id)

"""Events about devices; hardware IDs are masked."""

from collections.abc import Sequence

from licet_server.devices.rules.model import AccessAttempt, Activation, masked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_event
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
    await record_event(
        work,
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.product_id,
        data={**_device_data(item, reason), **({"changed": list(changed)} if changed else {})},
    )


def device_event(kind: EventKind, item: Activation, *, reason: str | None = None) -> Event:
    """Return the event of a kind about a device, to be recorded with others."""
    return Event(
        kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        product_id=item.product_id,
        data=_device_data(item, reason),
    )


def _device_data(item: Activation, reason: str | None) -> dict[str, object]:
    data: dict[str, object] = {
        "id": item.id,
        "licenseId": item.license_id,
        "productId": item.product_id,
        "hardwareId": masked(item.hardware_id),
        "deviceName": item.device_name,
        "os": item.os,
        "appVersion": item.app_version,
        "status": item.status,
        "seatFreeAt": item.seat_free_at,
    }
    if reason is not None:
        data["reason"] = reason
    return data


def limit_event(license_: License | LicenseTerms, *, used: int, total: int) -> Event:
    """Return the event of a device that was rejected because all seats are taken."""
    return Event(
        kind=EventKind.ACTIVATION_LIMIT_REACHED,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data={
            "licenseId": license_.id,
            "productId": license_.product_id,
            "seatsUsed": used,
            "seatsTotal": total,
        },
        product_id=license_.product_id,
    )


def attempt_event(kind: EventKind, item: AccessAttempt) -> Event:
    """Return the event of a kind about a device's tries to use a license bound to another."""
    return Event(
        kind=kind,
        institution_id=item.institution_id,
        subject_id=item.id,
        data={
            "id": item.id,
            "licenseId": item.license_id,
            "productId": item.product_id,
            "attemptedHardwareId": masked(item.attempted_hardware_id),
            "boundHardwareId": masked(item.bound_hardware_id),
            "ipAddress": item.ip_address,
            "entryPoint": item.entry_point,
            "attemptCount": item.attempt_count,
            "reviewed": item.reviewed_at is not None,
        },
        product_id=item.product_id,
    )

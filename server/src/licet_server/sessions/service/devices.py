"""What happens to a device ends its sessions, in the same transaction."""

from uuid import UUID

from licet_server.devices.rules.model import Activation
from licet_server.devices.service import end_users, operators
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.sessions.rules.model import EndReason
from licet_server.sessions.service.ending import end_sessions_of_device


async def block_device(work: UnitOfWork, operator: Operator, activation_id: UUID) -> Activation:
    """Deny the license to a device from this moment on.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    device = await operators.block_device(work, operator, activation_id)
    await _end(work, device, EndReason.DEVICE_BLOCKED)
    return device


async def deactivate_device(
    work: UnitOfWork, operator: Operator, activation_id: UUID
) -> Activation:
    """Remove a device. Answers what was removed.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    device = await operators.deactivate_device(work, operator, activation_id)
    await _end(work, device, EndReason.DEACTIVATED)
    return device


async def free_own_device(
    work: UnitOfWork, person: Operator, license_id: UUID, activation_id: UUID
) -> None:
    """An end user removes a device of a license that is issued to him.

    Raises:
        Refused: `Forbidden`, `NotFound`, `DeviceBlocked`, `Conflict`.
    """
    device = await end_users.free_own_device(work, person, license_id, activation_id)
    await _end(work, device, EndReason.DEACTIVATED)


async def release_device(work: UnitOfWork, license_: License, hardware_id: str) -> None:
    """A device gives its own seat back.

    Raises:
        Refused: `ActivationNotFound`, `DeviceBlocked`.
    """
    device = await operators.release_device(work, license_, hardware_id)
    await _end(work, device, EndReason.DEACTIVATED)


async def _end(work: UnitOfWork, device: Activation, reason: EndReason) -> None:
    license_id = (device.institution_id, device.license_id)
    await end_sessions_of_device(work, license_id, device.hardware_id, reason)

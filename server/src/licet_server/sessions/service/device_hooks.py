"""The end of sessions whose devices are blocked or removed, in the same transaction."""

from licet_server.devices.rules.model import Activation
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.sessions.rules.model import EndReason
from licet_server.sessions.service.ending import end_sessions_of_device


class SessionDeviceHooks:
    """The `DeviceHooks` of sessions."""

    async def device_blocked(self, work: UnitOfWork, device: Activation) -> None:
        """End the sessions of a blocked device."""
        await _end_sessions(work, device, EndReason.DEVICE_BLOCKED)

    async def device_removed(self, work: UnitOfWork, device: Activation) -> None:
        """End the sessions of a removed device."""
        await _end_sessions(work, device, EndReason.DEACTIVATED)


async def _end_sessions(work: UnitOfWork, device: Activation, reason: EndReason) -> None:
    license_id = (device.institution_id, device.license_id)
    await end_sessions_of_device(work, license_id, device.hardware_id, reason)

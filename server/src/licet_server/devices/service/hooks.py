"""Hooks by which the features above react to changes of devices."""

from typing import Protocol

from licet_server.devices.rules.model import Activation
from licet_server.kit.unit_of_work import UnitOfWork


class DeviceHooks(Protocol):
    """Reactions to changes of devices, in the transaction of the change; wired in `app`.

    The license, its device counters and the device are locked.
    """

    async def device_blocked(self, work: UnitOfWork, device: Activation) -> None:
        """React to a block; also called where the device was blocked already."""
        ...

    async def device_removed(self, work: UnitOfWork, device: Activation) -> None:
        """React to the removal of a device, given as it was before."""
        ...

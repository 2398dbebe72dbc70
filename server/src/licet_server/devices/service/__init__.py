"""Use cases of devices, and the look-ups that other features make in them."""

from licet_server.devices.service.attempts import acknowledge_attempt, list_attempts
from licet_server.devices.service.devices import Devices
from licet_server.devices.service.end_users import (
    count_releases,
    free_own_device,
    list_own_devices,
    make_own_file,
)
from licet_server.devices.service.files import make_device_file
from licet_server.devices.service.lookup import (
    find_devices,
    find_facts,
    find_named,
    hold_admitted,
)
from licet_server.devices.service.operators import (
    approve_device,
    block_device,
    deactivate_device,
    list_devices,
    release_device,
    unblock_device,
)
from licet_server.devices.service.tallies import (
    count_devices,
    count_pending,
    count_unreviewed_attempts,
    find_attempted,
    find_most_activated,
    find_pending,
    find_tallies,
)

__all__ = [
    "Devices",
    "acknowledge_attempt",
    "approve_device",
    "block_device",
    "count_devices",
    "count_pending",
    "count_releases",
    "count_unreviewed_attempts",
    "deactivate_device",
    "find_attempted",
    "find_devices",
    "find_facts",
    "find_most_activated",
    "find_named",
    "find_pending",
    "find_tallies",
    "free_own_device",
    "hold_admitted",
    "list_attempts",
    "list_devices",
    "list_own_devices",
    "make_device_file",
    "make_own_file",
    "release_device",
    "unblock_device",
]

"""The requirement to name the device in each request, while one of the license is blocked.

Otherwise a blocked device would evade its block by leaving out its hardware ID.
"""

from licet_server.devices import errors
from licet_server.devices.service.lookup import find_devices
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License


def require_named(license_: License, hardware_id: str | None) -> None:
    """Check that a request names its device, if a device of the license is blocked.

    Raises:
        Refused: `InvalidRequest`.
    """
    if license_.blocked_devices > 0 and hardware_id is None:
        raise errors.hardware_id_required()


async def require_not_blocked(db: Connection, license_: License, hardware_id: str | None) -> None:
    """Check that the device of a request is not blocked; a statement only if one is.

    Raises:
        Refused: `InvalidRequest`, `DeviceBlocked`.
    """
    require_named(license_, hardware_id)
    if license_.blocked_devices == 0 or hardware_id is None:
        return
    key = (license_.institution_id, license_.id, hardware_id)
    device = (await find_devices(db, [key])).get(key)
    if device is not None and device.blocked_at is not None:
        raise errors.blocked()

"""Explains to applications why a session is gone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceKey
from licet_server.devices.service.lookup import find_devices
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.sessions import errors
from licet_server.sessions.rules.model import EndReason, SeatSession, SessionKey
from licet_server.sessions.storage import sessions as storage


async def lost_session_refusals(
    db: Connection, requested: Sequence[tuple[SessionKey, UUID]], now: datetime
) -> dict[SessionKey, Refused]:
    """Find the refusal for each of these sessions, which are not live; each with its product.

    An application on a blocked device is refused for that; all others learn only that there is no
    such session.
    """
    if not requested:
        return {}
    found = await storage.fetch_sessions(db, [key for key, _ in requested], now)
    blocked = {
        key: session
        for key, product_id in requested
        if (session := found.get(key)) is not None
        and session.product_id == product_id
        and session.end_reason is EndReason.DEVICE_BLOCKED
    }
    devices = await find_devices(db, [_device_of(item) for item in blocked.values()])
    return {key: _refusal(blocked.get(key), devices) for key, _ in requested}


def _refusal(session: SeatSession | None, devices: Mapping[DeviceKey, Activation]) -> Refused:
    if session is not None:
        device = devices.get(_device_of(session))
        if device is not None and device.status is ActivationStatus.BLOCKED:
            return device_errors.blocked()
    return errors.unknown_session()


def _device_of(session: SeatSession) -> DeviceKey:
    return (session.institution_id, session.license_id, session.hardware_id)

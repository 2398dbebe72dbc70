"""Explanations for applications why a session is gone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import Activation, ActivationStatus, DeviceKey
from licet_server.devices.service.lookup import find_devices
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.licenses.rules.standing import refusal_of
from licet_server.licenses.service import reading
from licet_server.sessions import errors
from licet_server.sessions.rules.model import EndReason, SeatSession, SessionKey
from licet_server.sessions.storage import sessions as session_storage

_WITH_LICENSE = {EndReason.LICENSE_REVOKED, EndReason.LICENSE_EXPIRED}


async def lost_session_refusals(
    db: Connection, requested: Sequence[tuple[SessionKey, UUID]], now: datetime
) -> dict[SessionKey, Refused]:
    """Find the refusal for each of these sessions, which are not live; each with its product.

    An application on a blocked device is refused for that, and one whose session ended with its
    license for the state of the license; all others learn only that there is no such session.
    """
    if not requested:
        return {}
    found = await session_storage.fetch_sessions(db, [key for key, _ in requested], now)
    own = {
        key: session
        for key, product_id in requested
        if (session := found.get(key)) is not None and session.product_id == product_id
    }
    blocked = [item for item in own.values() if item.end_reason is EndReason.DEVICE_BLOCKED]
    devices = await find_devices(db, [_device_of(item) for item in blocked])
    over = [item for item in own.values() if item.end_reason in _WITH_LICENSE]
    licenses = await reading.find_terms(
        db, [(item.institution_id, item.license_id) for item in over]
    )
    return {
        key: _refusal_of_device(own.get(key), devices)
        or _refusal_of_license(own.get(key), licenses, now)
        or errors.unknown_session()
        for key, _ in requested
    }


def _refusal_of_device(
    session: SeatSession | None, devices: Mapping[DeviceKey, Activation]
) -> Refused | None:
    if session is None or session.end_reason is not EndReason.DEVICE_BLOCKED:
        return None
    device = devices.get(_device_of(session))
    is_blocked = device is not None and device.status is ActivationStatus.BLOCKED
    return device_errors.blocked() if is_blocked else None


def _refusal_of_license(
    session: SeatSession | None, licenses: Mapping[UUID, LicenseTerms], now: datetime
) -> Refused | None:
    if session is None or session.end_reason not in _WITH_LICENSE:
        return None
    license_ = licenses.get(session.license_id)
    return refusal_of(license_, now) if license_ is not None else None


def _device_of(session: SeatSession) -> DeviceKey:
    return (session.institution_id, session.license_id, session.hardware_id)

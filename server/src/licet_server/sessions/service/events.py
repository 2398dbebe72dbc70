"""Events about sessions; hardware IDs are masked."""

from collections.abc import Mapping
from uuid import UUID

from licet_server.devices.rules.model import masked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.sessions.rules.model import SeatSession


def started_event(session: SeatSession) -> Event:
    return _event(EventKind.SESSION_STARTED, session, {})


def ended_event(session: SeatSession) -> Event:
    """Return the event of a session that ended, with the reason."""
    end = {"endedAt": session.ended_at, "reason": session.end_reason}
    return _event(EventKind.SESSION_ENDED, session, end)


def limit_event(license_: LicenseTerms, *, used: int, total: int) -> Event:
    """Return the event of a claim that was rejected because all seats are in use."""
    data = {
        "licenseId": license_.id,
        "productId": license_.product_id,
        "seatsUsed": used,
        "seatsTotal": total,
    }
    return Event(
        kind=EventKind.SESSION_LIMIT_REACHED,
        institution_id=license_.institution_id,
        subject_id=license_.id,
        data=data,
        product_id=license_.product_id,
    )


def limit_topic(license_: LicenseTerms) -> tuple[UUID, str]:
    """Return the topic of these events, by which they are rate limited."""
    return (license_.institution_id, f"sessions-full:{license_.id}")


def _event(kind: EventKind, session: SeatSession, details: Mapping[str, object]) -> Event:
    data: dict[str, object] = {
        "id": session.id,
        "licenseId": session.license_id,
        "productId": session.product_id,
        "hardwareId": masked(session.hardware_id),
        "deviceName": session.device_name,
        "instanceId": session.instance_id,
        "appVersion": session.app_version,
        "connectedAt": session.connected_at,
        **details,
    }
    return Event(
        kind=kind,
        institution_id=session.institution_id,
        subject_id=session.id,
        data=data,
        product_id=session.product_id,
    )

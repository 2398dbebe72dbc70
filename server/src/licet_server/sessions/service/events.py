"""What the rest of the world is told about sessions; hardware ids are masked."""

from collections.abc import Mapping
from uuid import UUID

from licet_server.devices.rules.masking import masked
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.licenses.rules.model import LicenseTerms
from licet_server.sessions.rules.model import Session


def started_event(session: Session) -> Event:
    """A session took its seat."""
    return _event(EventKind.SESSION_STARTED, session, {})


def ended_event(session: Session) -> Event:
    """A session is over, and why."""
    told = {"endedAt": session.ended_at, "reason": session.end_reason}
    return _event(EventKind.SESSION_ENDED, session, told)


def limit_event(license_: LicenseTerms, used: int, total: int) -> Event:
    """Somebody found no seat."""
    data = {
        "licenseId": license_.id,
        "productId": license_.product_id,
        "seatsUsed": used,
        "seatsTotal": total,
    }
    return Event(
        EventKind.SESSION_LIMIT_REACHED,
        license_.institution_id,
        license_.id,
        data,
        license_.product_id,
    )


def limit_topic(license_: LicenseTerms) -> tuple[UUID, str]:
    """What these events are about, so that they come once in a while only."""
    return (license_.institution_id, f"sessions-full:{license_.id}")


def _event(kind: EventKind, session: Session, told: Mapping[str, object]) -> Event:
    data: dict[str, object] = {
        "id": session.id,
        "licenseId": session.license_id,
        "productId": session.product_id,
        "hardwareId": masked(session.hardware_id),
        "deviceName": session.device_name,
        "instanceId": session.instance_id,
        "appVersion": session.app_version,
        "connectedAt": session.connected_at,
        **told,
    }
    return Event(kind, session.institution_id, session.id, data, session.product_id)

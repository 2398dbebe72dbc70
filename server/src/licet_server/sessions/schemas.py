"""Wire shapes of sessions."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.schemas import HardwareId, LicenseKey, Short
from licet_server.kit.web.body import RuntimeBody
from licet_server.sessions.rules.model import EndReason, Session, SessionStatus
from licet_server.sessions.service.runtime import ConnectRequest

InstanceId = Annotated[str, Meta(min_length=1, max_length=128)]


class ConnectBody(RuntimeBody):
    """Which license, and who wants to use it; `instanceId` tells copies on a device apart."""

    license_key: LicenseKey
    hardware_id: HardwareId
    instance_id: InstanceId | None = None
    device_name: Short | None = None
    app_version: Short | None = None

    def request(self) -> ConnectRequest:
        """What the application asks for."""
        return ConnectRequest(
            self.license_key,
            self.hardware_id,
            self.instance_id,
            self.device_name or None,
            self.app_version or None,
        )


class SessionBody(RuntimeBody):
    """Which session it is about."""

    session_id: UUID


class ReleaseBody(RuntimeBody):
    """The device that gives its seat back."""

    license_key: LicenseKey
    hardware_id: HardwareId


class ConnectAnswer(Struct, rename="camel"):
    """The new session, and how to keep it; `seatsTotal` is null where there is no limit."""

    session_id: UUID
    expires_at: datetime
    heartbeat_interval_seconds: int
    session_timeout_seconds: int
    seats_used: int
    seats_total: int | None


class HeartbeatAnswer(Struct, rename="camel"):
    """Until when the session lives without another heartbeat."""

    session_id: UUID
    expires_at: datetime
    heartbeat_interval_seconds: int


class SessionView(Struct, rename="camel"):
    """A session as operators see it; `expiresAt` is null where it was ended before its time."""

    id: UUID
    license_id: UUID
    hardware_id: str
    instance_id: str | None
    device_name: str | None
    app_version: str | None
    status: SessionStatus
    connected_at: datetime
    last_heartbeat_at: datetime | None
    expires_at: datetime | None
    ended_at: datetime | None
    end_reason: EndReason | None


def session_view(item: Session) -> SessionView:
    """A session on the wire."""
    return SessionView(
        id=item.id,
        license_id=item.license_id,
        hardware_id=item.hardware_id,
        instance_id=item.instance_id,
        device_name=item.device_name,
        app_version=item.app_version,
        status=item.status,
        connected_at=item.connected_at,
        last_heartbeat_at=item.last_heartbeat_at,
        expires_at=item.expires_at,
        ended_at=item.ended_at,
        end_reason=item.end_reason,
    )

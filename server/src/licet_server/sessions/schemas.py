"""Wire shapes of sessions."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import HardwareId, LicenseBody, Short, ShownComponents
from licet_server.kit.web.body import RuntimeBody
from licet_server.kit.web.views import view_of
from licet_server.sessions.rules.model import EndReason, SeatSession, SessionStatus
from licet_server.sessions.service.runtime import ConnectRequest

InstanceId = Annotated[str, Meta(min_length=1, max_length=128)]


class ConnectBody(LicenseBody, kw_only=True):
    """The license and the device to connect; `instanceId` distinguishes instances on a device.

    `components` are hashes of the device's parts, by which a license with `machineMatch` recognizes
    it.
    """

    hardware_id: HardwareId
    instance_id: InstanceId | None = None
    device_name: Short | None = None
    app_version: Short | None = None
    components: ShownComponents | None = None

    def request(self, shown: ShownProof) -> ConnectRequest:
        """Return the request that the body describes; empty texts count as omitted."""
        return ConnectRequest(
            license_key=self.license_key,
            hardware_id=self.hardware_id,
            instance_id=self.instance_id,
            device_name=self.device_name or None,
            app_version=self.app_version or None,
            credentials=self.credentials,
            shown=shown,
            components=self.components or {},
        )


class SessionBody(RuntimeBody):
    """The session to extend or end."""

    session_id: UUID


class ConnectAnswer(Struct, rename="camel"):
    """The new session and its timing; `seatsTotal` is null where there is no limit.

    `test` is whether it is of a Test product.
    """

    session_id: UUID
    expires_at: datetime
    heartbeat_interval_seconds: int
    session_timeout_seconds: int
    seats_used: int
    seats_total: int | None
    test: bool


class HeartbeatAnswer(Struct, rename="camel"):
    """When the session expires without another heartbeat."""

    session_id: UUID
    expires_at: datetime
    heartbeat_interval_seconds: int


class SeatSessionView(Struct, rename="camel"):
    """A session as operators see it; `expiresAt` is null where it ended before its expiry.

    `leaseId` is the lease that its seat is borrowed by, until `leaseEndsAt`.
    """

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
    lease_id: UUID | None
    lease_ends_at: datetime | None


def session_view(item: SeatSession) -> SeatSessionView:
    """Convert a session for operators."""
    return view_of(SeatSessionView, item)

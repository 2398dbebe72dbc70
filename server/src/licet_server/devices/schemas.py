"""Wire shapes of devices."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.model import (
    AccessAttempt,
    Activation,
    ActivationStatus,
    Device,
    EntryPoint,
)
from licet_server.devices.service.admission import Admitted
from licet_server.kit.web.body import RuntimeBody

LicenseKey = Annotated[str, Meta(min_length=1, max_length=300)]
HardwareId = Annotated[str, Meta(min_length=1, max_length=256, pattern=r"\S")]
Short = Annotated[str, Meta(max_length=256)]
Labels = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(max_length=500)]],
    Meta(max_length=50),
]


class ActivateBody(RuntimeBody):
    """The device that is to get a seat, and what it says of itself."""

    license_key: LicenseKey
    hardware_id: HardwareId
    device_name: Short | None = None
    os: Short | None = None
    app_version: Short | None = None
    metadata: Labels | None = None

    def device(self) -> Device:
        """The machine that the body describes."""
        return Device(
            self.hardware_id,
            self.device_name or None,
            self.os or None,
            self.app_version or None,
            self.metadata or {},
        )


class ActivateAnswer(Struct, rename="camel"):
    """The device's seat; `seatsTotal` is null where there is no limit."""

    activation_id: UUID
    status: ActivationStatus
    seats_used: int
    seats_total: int | None
    activated_at: datetime | None


class ActivationView(Struct, rename="camel"):
    """A device as operators see it."""

    id: UUID
    license_id: UUID
    hardware_id: str
    device_name: str | None
    os: str | None
    app_version: str | None
    status: ActivationStatus
    created_at: datetime
    last_seen_at: datetime
    metadata: Labels


class AccessAttemptView(Struct, rename="camel"):
    """A foreign machine as Owners and Admins see it."""

    id: UUID
    attempted_hardware_id: str
    bound_hardware_id: str
    ip_address: str
    entry_point: EntryPoint
    attempt_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    reviewed: bool
    reviewed_at: datetime | None


def activate_answer(outcome: Admitted) -> ActivateAnswer:
    """What a device is told of its seat."""
    item = outcome.activation
    return ActivateAnswer(
        item.id, item.status, outcome.seats_used, outcome.seats_total, item.activated_at
    )


def activation_view(item: Activation) -> ActivationView:
    """A device on the wire."""
    return ActivationView(
        id=item.id,
        license_id=item.license_id,
        hardware_id=item.hardware_id,
        device_name=item.device_name,
        os=item.os,
        app_version=item.app_version,
        status=item.status,
        created_at=item.created_at,
        last_seen_at=item.last_seen_at,
        metadata=dict(item.metadata),
    )


def attempt_view(item: AccessAttempt) -> AccessAttemptView:
    """An access attempt on the wire."""
    return AccessAttemptView(
        id=item.id,
        attempted_hardware_id=item.attempted_hardware_id,
        bound_hardware_id=item.bound_hardware_id,
        ip_address=item.ip_address,
        entry_point=item.entry_point,
        attempt_count=item.attempt_count,
        first_seen_at=item.first_seen_at,
        last_seen_at=item.last_seen_at,
        reviewed=item.reviewed_at is not None,
        reviewed_at=item.reviewed_at,
    )

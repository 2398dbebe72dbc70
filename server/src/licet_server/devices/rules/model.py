"""Devices, their activations, and access attempts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

DeviceKey = tuple[UUID, UUID, str]
"""Institution, license and hardware ID."""


class ActivationStatus(StrEnum):
    """The status of an activation; a blocked device keeps its seat."""

    ACTIVE = "Active"
    PENDING = "Pending"
    BLOCKED = "Blocked"


class EntryPoint(StrEnum):
    """The operation that an access attempt used."""

    VALIDATE = "Validate"
    ACTIVATE = "Activate"
    CONNECT = "Connect"


@dataclass(frozen=True, slots=True)
class Device:
    """A machine as the application describes it."""

    hardware_id: str
    name: str | None = None
    os: str | None = None
    app_version: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Activation:
    """A device under a license.

    `bound` marks the machine that a node-locked license is bound to. A device that is pending
    approval holds no seat and has no `activated_at`.
    """

    institution_id: UUID
    id: UUID
    license_id: UUID
    product_id: UUID
    hardware_id: str
    device_name: str | None
    os: str | None
    app_version: str | None
    metadata: Mapping[str, str]
    holds_seat: bool
    bound: bool
    blocked_at: datetime | None
    created_at: datetime
    activated_at: datetime | None
    last_seen_at: datetime

    @property
    def status(self) -> ActivationStatus:
        """Blocked takes precedence over active and pending."""
        if self.blocked_at is not None:
            return ActivationStatus.BLOCKED
        return ActivationStatus.ACTIVE if self.holds_seat else ActivationStatus.PENDING


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """The activation of a device under a license, and the other device the license is bound to."""

    own: Activation | None = None
    bound_other: Activation | None = None


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """The fields of a device that metering its usage needs."""

    activation_id: UUID
    hardware_id: str
    blocked: bool


@dataclass(frozen=True, slots=True)
class NamedDevices:
    """The devices that a caller referred to, by hardware ID and by activation ID."""

    by_hardware_id: KnownDevice | None = None
    by_activation_id: KnownDevice | None = None


DeviceNames = tuple[UUID, UUID, str | None, UUID | None]
"""Institution, license, and a reference to a device: hardware ID, activation ID, or both."""


@dataclass(frozen=True, slots=True)
class DeviceCounters:
    """Counters of a license's devices.

    `new_rows` is how many activations and access attempts were created on `day`.
    """

    seats_used: int
    unreviewed_attempts: int
    day: date
    new_rows: int


@dataclass(frozen=True, slots=True)
class AccessAttempt:
    """A device that tried to use a node-locked license bound to another, and how often it did."""

    institution_id: UUID
    id: UUID
    license_id: UUID
    product_id: UUID
    attempted_hardware_id: str
    bound_hardware_id: str
    ip_address: str
    entry_point: EntryPoint
    attempt_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    alerted_on: date
    reviewed_at: datetime | None


@dataclass(frozen=True, slots=True)
class UnreviewedAttempts:
    """How many unreviewed access attempts a license has, and when the latest one occurred."""

    license_id: UUID
    attempts: int
    last_seen_at: datetime

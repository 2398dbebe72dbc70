"""What a device is, and what it is to a license."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

DeviceKey = tuple[UUID, UUID, str]
"""Institution, license and hardware id."""


class ActivationStatus(StrEnum):
    """Where a device stands; a blocked one keeps the seat that it had."""

    ACTIVE = "Active"
    PENDING = "Pending"
    BLOCKED = "Blocked"


class EntryPoint(StrEnum):
    """By which way a foreign machine tried to get in."""

    VALIDATE = "Validate"
    ACTIVATE = "Activate"
    CONNECT = "Connect"


@dataclass(frozen=True, slots=True)
class Device:
    """A machine as it describes itself."""

    hardware_id: str
    name: str | None = None
    os: str | None = None
    app_version: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Activation:
    """A device of a license.

    `bound` marks the one machine of a node-locked license. A device that waits for approval holds
    no seat and has no `activated_at`.
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
        """A block hides what was before it."""
        if self.blocked_at is not None:
            return ActivationStatus.BLOCKED
        return ActivationStatus.ACTIVE if self.holds_seat else ActivationStatus.PENDING


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What is known of a machine on a license: its own row, and another machine that is bound."""

    own: Activation | None = None
    bound_other: Activation | None = None


@dataclass(frozen=True, slots=True)
class KnownDevice:
    """The little that is asked of a device whose usage is counted."""

    activation_id: UUID
    hardware_id: str
    blocked: bool


@dataclass(frozen=True, slots=True)
class NamedDevices:
    """The devices of a license that a caller named, by machine and by row."""

    by_hardware_id: KnownDevice | None = None
    by_activation_id: KnownDevice | None = None


DeviceNames = tuple[UUID, UUID, str | None, UUID | None]
"""Institution and license, and a device of it by hardware id, by activation id, or both."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a license's devices; `new_rows` were made on `day`."""

    seats_used: int
    unreviewed_attempts: int
    day: date
    new_rows: int


@dataclass(frozen=True, slots=True)
class AccessAttempt:
    """A foreign machine that tried to use a node-locked license, and how often."""

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
class AttemptedAccess:
    """A license, the foreign machines that tried it and were not reviewed, and the last time."""

    license_id: UUID
    attempts: int
    last_seen_at: datetime

"""Devices, their activations, and access attempts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from licet_server.devices.rules.components import mark_of
from licet_server.devices.rules.hardware import is_of_many
from licet_server.devices.rules.proofs import NO_PROOF, KeyLevel, ShownProof
from licet_server.licenses.rules.model import License, LicenseTerms

_SHOWN = 4
_LONG_ENOUGH = 12


def masked(hardware_id: str) -> str:
    """Mask a hardware ID: `h1m-…9f3c`, or only the beginning of a short one."""
    if len(hardware_id) >= _LONG_ENOUGH:
        return f"{hardware_id[:_SHOWN]}…{hardware_id[-_SHOWN:]}"
    return f"{hardware_id[: len(hardware_id) // 3]}…"


DeviceKey = tuple[UUID, UUID, str]
"""Institution, license and hardware ID."""


class ActivationStatus(StrEnum):
    """The status of an activation; a blocked device keeps its seat.

    A device that is `OverLimit` had a seat, and gets it back when the license has one again. A
    `Released` device was removed, and at most waits for the end of its license file.
    """

    ACTIVE = "Active"
    PENDING = "Pending"
    BLOCKED = "Blocked"
    OVER_LIMIT = "OverLimit"
    RELEASED = "Released"


@dataclass(frozen=True, slots=True)
class DeviceFilter:
    """The filters of a list; `None` does not filter.

    A search finds part of the name or of the hardware ID.
    """

    status: ActivationStatus | None = None
    search: str | None = None


class EntryPoint(StrEnum):
    """The operation that an access attempt used."""

    VALIDATE = "Validate"
    ACTIVATE = "Activate"
    CONNECT = "Connect"
    REFRESH = "Refresh"


class Device(Struct, frozen=True):
    """A machine as the application describes it, and the proof of its key that it showed.

    `components` are hashes of its parts by name.
    """

    hardware_id: str
    name: str | None = None
    os: str | None = None
    app_version: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    components: Mapping[str, str] = field(default_factory=dict)
    shown: ShownProof = NO_PROOF
    key_level: KeyLevel = KeyLevel.SOFTWARE


class KnownKey(Struct, frozen=True):
    """The key of a device: its thumbprint, where the device keeps it, and since when it is known.

    Nothing attests the level.
    """

    jkt: str
    level: KeyLevel
    since: datetime


class Activation(Struct, frozen=True):
    """A device under a license.

    `bound` marks the machine that a node-locked license is bound to. A device that is pending
    approval holds no seat and has no `activated_at`. `file_ends_at` is when the last of its license
    files ends that took the seat. A device that is released before has `released_at`, and its seat
    stays taken until then.

    `jkt` is the thumbprint of its key, which it proved first at `key_since`. `components_mark` is
    that of its components, if it was bound with any.

    A device that lost its seat to a lower cap has `over_limit_at`. It keeps its `activated_at`, by
    which it gets a seat again.
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
    file_ends_at: datetime | None = None
    released_at: datetime | None = None
    over_limit_at: datetime | None = None
    jkt: str | None = None
    key_level: KeyLevel | None = None
    key_since: datetime | None = None
    components_mark: str | None = None

    @property
    def device_key(self) -> KnownKey | None:
        """The key of the device, if it has proven one."""
        if self.jkt is None or self.key_level is None or self.key_since is None:
            return None
        return KnownKey(self.jkt, self.key_level, self.key_since)

    def with_key(self, device: Device, now: datetime) -> "Activation":
        """Return the activation with the key that the device proves, unless it has one already.

        What many machines are together gets none: each of them has another one.
        """
        takes_one = self.jkt is None and not is_of_many(self.hardware_id)
        proof = device.shown.proof if takes_one else None
        if proof is None:
            return self
        return replace(self, jkt=proof.jkt, key_level=device.key_level, key_since=now)

    @property
    def is_seated(self) -> bool:
        """Whether the device may use its seat, and not only waits to give it up."""
        return self.holds_seat and self.released_at is None

    def described_by(self, device: Device) -> "Activation":
        """Return the activation as the device describes itself; details it omits are kept."""
        return replace(
            self,
            device_name=device.name or self.device_name,
            os=device.os or self.os,
            app_version=device.app_version or self.app_version,
            metadata=device.metadata or self.metadata,
        )

    @property
    def seat_free_at(self) -> datetime | None:
        """When the seat of a released device is free; `None` for one that is not released."""
        has_claim = self.holds_seat or self.over_limit_at is not None
        return self.file_ends_at if self.released_at is not None and has_claim else self.released_at

    def works_until(self, now: datetime) -> datetime | None:
        """Return when its license file ends, which works without the server; `None` if none does.

        A device that is removed before then keeps its seat so long.
        """
        works = self.file_ends_at is not None and self.file_ends_at > now
        return self.file_ends_at if works else None

    def removed(self, now: datetime) -> "Activation":
        """Return the device after it was removed, with no seat and no key."""
        return replace(
            self,
            holds_seat=False,
            bound=False,
            blocked_at=None,
            activated_at=None,
            over_limit_at=None,
            released_at=now,
            jkt=None,
            key_level=None,
            key_since=None,
            components_mark=None,
        )

    @property
    def status(self) -> ActivationStatus:
        """Blocked takes precedence over all others."""
        if self.blocked_at is not None:
            return ActivationStatus.BLOCKED
        if self.released_at is not None:
            return ActivationStatus.RELEASED
        if self.over_limit_at is not None:
            return ActivationStatus.OVER_LIMIT
        return ActivationStatus.ACTIVE if self.holds_seat else ActivationStatus.PENDING


def new_activation(
    license_: License | LicenseTerms,
    device: Device,
    activation_id: UUID,
    at: datetime,
    *,
    holds_seat: bool,
) -> Activation:
    """Return the activation of a device that is new to the license; it binds no license."""
    made = Activation(
        institution_id=license_.institution_id,
        id=activation_id,
        license_id=license_.id,
        product_id=license_.product_id,
        hardware_id=device.hardware_id,
        device_name=device.name,
        os=device.os,
        app_version=device.app_version,
        metadata=device.metadata,
        holds_seat=holds_seat,
        bound=False,
        blocked_at=None,
        created_at=at,
        activated_at=at if holds_seat else None,
        last_seen_at=at,
        components_mark=mark_of(device.components) if device.components else None,
    )
    return made.with_key(device, at)


class DeviceFacts(Struct, frozen=True):
    """The activation of a device under a license, and the other device the license is bound to."""

    own: Activation | None = None
    bound_other: Activation | None = None


class SeatedFacts(Struct, frozen=True):
    """The facts about a device, and how many seats of the license devices hold."""

    facts: DeviceFacts = field(default_factory=DeviceFacts)
    seats_used: int = 0


class LicensedDevice(Struct, frozen=True):
    """A license, the version of its release, and the facts about a device of it."""

    license: License
    release_version: str | None = None
    seated: SeatedFacts = SeatedFacts()


class KnownDevice(Struct, frozen=True):
    """The fields of a device that metering its usage needs."""

    activation_id: UUID
    hardware_id: str
    blocked: bool
    jkt: str | None = None


class NamedDevices(Struct, frozen=True):
    """The devices that a caller referred to, by hardware ID and by activation ID."""

    by_hardware_id: KnownDevice | None = None
    by_activation_id: KnownDevice | None = None


DeviceNames = tuple[UUID, UUID, str | None, UUID | None]
"""Institution, license, and a reference to a device: hardware ID, activation ID, or both."""


@dataclass(frozen=True, slots=True)
class DeviceCounters:
    """Counters of a license's devices.

    `seats_waiting` is how many of the seats used are those of released devices whose files have not
    ended. `over_limit` is how many devices lost their seat to a lower cap. `new_rows` is how many
    activations and access attempts were created on `day`.
    """

    seats_used: int
    unreviewed_attempts: int
    day: date
    new_rows: int
    seats_waiting: int = 0
    over_limit: int = 0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDevices:
    """How many active devices of a product reported this version last; `seen` of them recently."""

    institution_id: UUID
    product_id: UUID
    app_version: str | None
    devices: int
    seen: int

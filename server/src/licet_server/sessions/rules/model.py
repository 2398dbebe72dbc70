"""What a session is, the slot in which it stands, and who asks for one."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import LicenseId

SlotPlace = tuple[UUID, UUID, int]
"""Institution, license and the slot's number."""

SessionKey = tuple[UUID, UUID]
"""Institution and session."""


class SessionStatus(StrEnum):
    """Whether a session keeps its seat."""

    LIVE = "Live"
    ENDED = "Ended"


class EndReason(StrEnum):
    """Why a session is over."""

    DISCONNECTED = "Disconnected"
    FORCE_DISCONNECTED = "ForceDisconnected"
    TIMED_OUT = "TimedOut"
    REPLACED = "Replaced"
    DEVICE_BLOCKED = "DeviceBlocked"
    DEACTIVATED = "Deactivated"


@dataclass(frozen=True, slots=True)
class Session:
    """A session as it stands at the instant of reading.

    One that timed out has `ended_at` at the end of its promise, whether or not anybody has noted
    it. `expires_at` is `None` where a session was ended before its time.
    """

    institution_id: UUID
    id: UUID
    license_id: UUID
    product_id: UUID
    hardware_id: str
    instance_id: str | None
    device_name: str | None
    app_version: str | None
    connected_at: datetime
    last_heartbeat_at: datetime | None
    expires_at: datetime | None
    ended_at: datetime | None
    end_reason: EndReason | None

    @property
    def status(self) -> SessionStatus:
        """Whether it is over."""
        return SessionStatus.LIVE if self.ended_at is None else SessionStatus.ENDED


@dataclass(frozen=True, slots=True)
class Slot:
    """A seat with what stands in it; all but its place and product is `None` while it is free."""

    institution_id: UUID
    license_id: UUID
    n: int
    session_id: UUID | None
    product_id: UUID
    hardware_id: str | None
    instance_key: bytes | None
    connected_at: datetime | None
    beat_at: datetime | None
    expires_at: datetime | None

    @property
    def place(self) -> SlotPlace:
        """Which slot it is."""
        return (self.institution_id, self.license_id, self.n)

    def is_live(self, now: datetime) -> bool:
        """Whether a session stands here whose promise has not run out."""
        return self.expires_at is not None and self.expires_at > now

    def emptied_at(self, n: int) -> "Slot":
        """A free slot of the same license."""
        return Slot(
            institution_id=self.institution_id,
            license_id=self.license_id,
            n=n,
            session_id=None,
            product_id=self.product_id,
            hardware_id=None,
            instance_key=None,
            connected_at=None,
            beat_at=None,
            expires_at=None,
        )

    def moved_to(self, n: int) -> "Slot":
        """The same content in another slot of the license."""
        return replace(self, n=n)


@dataclass(frozen=True, slots=True, eq=False)
class Applicant:
    """An instance of an application that asks for a session. `timeout` is its product's.

    Two that say the same of themselves are still two.
    """

    institution_id: UUID
    product_id: UUID
    license_id: UUID
    hardware_id: str
    instance_id: str | None
    device_name: str | None
    app_version: str | None
    timeout: timedelta
    origin: Origin

    @property
    def license(self) -> LicenseId:
        """Institution and license."""
        return (self.institution_id, self.license_id)

    @property
    def instance_key(self) -> bytes | None:
        """The same for the same instance on the same device; `None` where it has no name."""
        if self.instance_id is None:
            return None
        return instance_key(self.license_id, self.hardware_id, self.instance_id)


@dataclass(frozen=True, slots=True)
class Connected:
    """A session that was let in; `seats_total` is `None` where there is no limit."""

    session_id: UUID
    expires_at: datetime
    seats_used: int
    seats_total: int | None


@dataclass(frozen=True, slots=True)
class Beat:
    """A heartbeat: which product's application sent it for which session, under which settings."""

    institution_id: UUID
    product_id: UUID
    session_id: UUID
    timeout: timedelta
    spacing: timedelta

    @property
    def key(self) -> SessionKey:
        """Institution and session."""
        return (self.institution_id, self.session_id)


@dataclass(frozen=True, slots=True)
class Ending:
    """That a session is over, since when and why; `beat_at` is its last heartbeat."""

    institution_id: UUID
    session_id: UUID
    ended_at: datetime
    reason: EndReason
    beat_at: datetime | None

    @property
    def key(self) -> SessionKey:
        """Institution and session."""
        return (self.institution_id, self.session_id)


def instance_key(license_id: UUID, hardware_id: str, instance_id: str) -> bytes:
    """A name of fixed length for an instance on a device; anything else has another name."""
    text = f"{len(hardware_id)}:{hardware_id}{instance_id}"
    return hashlib.sha256(license_id.bytes + text.encode()).digest()


def ending_of(slot: Slot, reason: EndReason, now: datetime) -> Ending:
    """How the session in a slot ends: as timed out where its promise had run out before.

    Raises:
        ValueError: for a slot that is free.
    """
    if slot.session_id is None or slot.expires_at is None:
        raise ValueError("nobody stands in a free slot")
    if slot.expires_at <= now:
        ended_at, reason = slot.expires_at, EndReason.TIMED_OUT
    else:
        ended_at = now
    return Ending(slot.institution_id, slot.session_id, ended_at, reason, slot.beat_at)

"""Sessions, the slots they occupy, claims for seats, and heartbeats."""

import hashlib
import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from licet_server.devices.rules.proofs import NO_PROOF, Proof, ShownProof, fault_of
from licet_server.devices.rules.proofs import refusal_of as refusal_of_fault
from licet_server.kit.dates import EARLIEST, LATEST
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import LicenseId, StatusDates
from licet_server.licenses.rules.runtime import RequestNote, refusal_of
from licet_server.sessions import errors

SlotPlace = tuple[UUID, UUID, int]
"""Institution, license, and the number of the slot."""

SessionKey = tuple[UUID, UUID]
"""Institution and session."""


UsedProof = tuple[UUID, UUID, str]
"""Institution, license, and the `jti` of a proof."""

LEEWAY = timedelta(minutes=5)
"""How long the seat of a lease is held after its end, for clocks of devices that are behind."""


def held_until(ends_at: datetime) -> datetime:
    """Return until when the seat of a lease is held that ends then."""
    return min(ends_at, LATEST - LEEWAY) + LEEWAY


Sender = tuple[SessionKey, str | None]
"""A session, and the proof that a heartbeat for it shows."""


class SessionStatus(StrEnum):
    """Whether a session is live."""

    LIVE = "Live"
    ENDED = "Ended"


class EndReason(StrEnum):
    """Why a session ended."""

    DISCONNECTED = "Disconnected"
    FORCE_DISCONNECTED = "ForceDisconnected"
    TIMED_OUT = "TimedOut"
    REPLACED = "Replaced"
    DEVICE_BLOCKED = "DeviceBlocked"
    DEACTIVATED = "Deactivated"
    LICENSE_REVOKED = "LicenseRevoked"
    LICENSE_EXPIRED = "LicenseExpired"
    LICENSE_DELETED = "LicenseDeleted"


@dataclass(frozen=True, slots=True)
class SeatSession:
    """A session as of the instant it was read.

    A session that timed out has `ended_at` at its expiry, even before the reaper has ended it, and
    one that its license ended with has it at the end of the term.
    `expires_at` is `None` where a session ended before its expiry. While its seat is borrowed, it
    has a `lease_id`.
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
    proof_jti: str | None = None
    lease_id: UUID | None = None

    @property
    def lease_ends_at(self) -> datetime | None:
        """When the lease ends that its seat is borrowed by, if it is."""
        if self.lease_id is None or self.expires_at is None:
            return None
        return max(self.expires_at, EARLIEST + LEEWAY) - LEEWAY

    @property
    def status(self) -> SessionStatus:
        """Whether the session is live."""
        return SessionStatus.LIVE if self.ended_at is None else SessionStatus.ENDED


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """What sessions of a license are listed; `search` is part of the name or ID of the device."""

    status: SessionStatus
    search: str | None = None
    reason: EndReason | None = None


class Slot(Struct, frozen=True):
    """A seat and its session; in a free slot, all but the place and the product is `None`."""

    institution_id: UUID
    license_id: UUID
    n: int
    session_id: UUID | None
    product_id: UUID
    hardware_id: str | None
    instance_key: bytes | None
    connected_at: datetime | None
    last_heartbeat_at: datetime | None
    expires_at: datetime | None
    jkt: str | None = None
    lease_id: UUID | None = None

    @property
    def place(self) -> SlotPlace:
        """The primary key of the slot."""
        return (self.institution_id, self.license_id, self.n)

    def is_live(self, now: datetime) -> bool:
        """Return whether the slot has a session that has not expired."""
        return self.expires_at is not None and self.expires_at > now

    def free_slot(self, n: int) -> "Slot":
        """Build a free slot of the same license."""
        return Slot(
            institution_id=self.institution_id,
            license_id=self.license_id,
            n=n,
            session_id=None,
            product_id=self.product_id,
            hardware_id=None,
            instance_key=None,
            connected_at=None,
            last_heartbeat_at=None,
            expires_at=None,
        )

    def moved_to(self, n: int) -> "Slot":
        """Copy the content to another slot of the license."""
        return replace(self, n=n)


class SeatClaim(Struct, frozen=True, eq=False):
    """A request of an application instance for a session; `timeout` is that of its product.

    With a `proof`, only its key may speak for the session. Claims are compared by identity: two
    with equal fields are still two claims.
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
    proof: Proof | None = None

    @property
    def license(self) -> LicenseId:
        """Institution and license."""
        return (self.institution_id, self.license_id)

    @property
    def proof_key(self) -> UsedProof | None:
        """What no other session of the license began with; `None` without a proof."""
        return None if self.proof is None else (*self.license, self.proof.jti)

    @property
    def instance_key(self) -> bytes | None:
        """The key of the instance on its device; `None` for an instance without an ID."""
        if self.instance_id is None:
            return None
        return instance_key(self.license_id, self.hardware_id, self.instance_id)


class Connected(Struct, frozen=True):
    """A session that was admitted; `seats_total` is `None` where there is no limit."""

    session_id: UUID
    expires_at: datetime
    seats_used: int
    seats_total: int | None


class Heartbeat(Struct, frozen=True):
    """A heartbeat for a session, with the product of its sender and that product's settings.

    `note` is that of the request: it learns whose session this is.
    """

    institution_id: UUID
    product_id: UUID
    session_id: UUID
    timeout: timedelta
    spacing: timedelta
    note: RequestNote = field(default_factory=RequestNote)
    shown: ShownProof = NO_PROOF

    @property
    def key(self) -> SessionKey:
        """Institution and session."""
        return (self.institution_id, self.session_id)

    @property
    def sender(self) -> Sender:
        """The session and the proof, with which others of a batch are the same heartbeat."""
        return (self.key, self.shown.text)


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """The end of a session: when, why, and its last heartbeat."""

    institution_id: UUID
    session_id: UUID
    ended_at: datetime
    reason: EndReason
    last_heartbeat_at: datetime | None

    @property
    def key(self) -> SessionKey:
        """Institution and session."""
        return (self.institution_id, self.session_id)


def instance_key(license_id: UUID, hardware_id: str, instance_id: str) -> bytes:
    """Hash an instance on a device under a license to a key of fixed length."""
    text = f"{len(hardware_id)}:{hardware_id}{instance_id}"
    return hashlib.sha256(license_id.bytes + text.encode()).digest()


def end_of_session(
    slot: Slot, reason: EndReason, now: datetime, term_end: datetime | None = None
) -> SessionEnd:
    """Build the end of the session in a slot.

    A session that is over already ended when it timed out, or with the term of its license, which
    ends at `term_end`.

    Raises:
        ValueError: for a free slot.
    """
    if slot.session_id is None or slot.expires_at is None:
        raise ValueError("a free slot has no session")
    ended_at = now
    if slot.expires_at <= now:
        ended_at, reason = slot.expires_at, EndReason.TIMED_OUT
    if term_end is not None and term_end < ended_at:
        ended_at, reason = term_end, EndReason.LICENSE_EXPIRED
    return SessionEnd(
        institution_id=slot.institution_id,
        session_id=slot.session_id,
        ended_at=ended_at,
        reason=reason,
        last_heartbeat_at=slot.last_heartbeat_at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The most sessions that a license had at once on a UTC day."""

    institution_id: UUID
    license_id: UUID
    day: date
    product_id: UUID
    peak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FullestLicense:
    """A license whose sessions came closest to its seats, and the day when they did last."""

    license_id: UUID
    peak: int
    day: date


def is_for_live_session(heartbeat: Heartbeat, slot: Slot, now: datetime) -> bool:
    """Return whether the slot has a live session of the sender's product."""
    return slot.product_id == heartbeat.product_id and slot.is_live(now)


def refusal_of_heartbeat(
    heartbeat: Heartbeat, slot: Slot, dates: StatusDates, now: datetime
) -> Refused | None:
    """Return why the heartbeat of a live session is refused, or `None` if it is accepted.

    `dates` are those of its license. The first heartbeat is never too early, however soon it
    follows the connect.
    """
    refused = refusal_of(dates, now) or refusal_of_session(slot, heartbeat.shown)
    if refused is not None or slot.last_heartbeat_at is None:
        return refused
    wait = slot.last_heartbeat_at + heartbeat.spacing - now
    if heartbeat.spacing and wait > timedelta():
        return errors.heartbeat_too_early(whole_seconds(wait))
    return None


def refusal_of_session(slot: Slot, shown: ShownProof) -> Refused | None:
    """Return why a request may not speak for the session in a slot: its key did not sign it."""
    fault = None if slot.jkt is None else fault_of(slot.jkt, shown)
    return None if fault is None else refusal_of_fault(fault)


def whole_seconds(wait: timedelta) -> int:
    """Round up to whole seconds, at least one."""
    return max(1, math.ceil(wait.total_seconds()))

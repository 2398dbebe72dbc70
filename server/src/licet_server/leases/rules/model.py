"""Leases, and what becomes of them."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from licet_server.leases import errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.terms import BORROW_MAX_DAYS
from licet_server.sessions.rules.model import LEEWAY, SessionKey

BorrowedDays = Annotated[int, Meta(ge=1, le=BORROW_MAX_DAYS)]


class LeaseKind(StrEnum):
    """What a lease is of."""

    SEAT = "Seat"


class LeaseState(StrEnum):
    """What a lease is at an instant; one that is `Forked` stays so."""

    OPEN = "Open"
    RETURNED = "Returned"
    ENDED = "Ended"
    FORKED = "Forked"


class LeaseEndReason(StrEnum):
    """Why the seat of a lease is free."""

    RETURNED = "Returned"
    EXPIRED = "Expired"
    FORCED = "Forced"
    LICENSE_DELETED = "LicenseDeleted"


class Lease(Struct, frozen=True, kw_only=True):
    """A seat that a device borrowed, whose key has the thumbprint `jkt`.

    `seq` counts its tokens, of which the newest was signed at `signed_at`. `license_key_hash` is of
    the key that the device sent. `issue_key` and `renewal_key` are the idempotency keys of the
    requests for the first and the newest token, and the `days` are what these asked for.

    `ended_at` is stored by whatever ends it; an end by time is true before it is stored.
    """

    institution_id: UUID
    id: UUID
    license_id: UUID
    product_id: UUID
    kind: LeaseKind
    jkt: str
    hardware_id: str
    device_name: str | None
    license_key_hash: str
    session_id: UUID
    quantity: int
    seq: int
    issued_at: datetime
    signed_at: datetime
    ends_at: datetime
    issue_key: str
    issue_days: int
    renewal_key: str | None = None
    renewal_days: int | None = None
    recalled_at: datetime | None = None
    forked_at: datetime | None = None
    acknowledged_at: datetime | None = None
    ended_at: datetime | None = None
    end_reason: LeaseEndReason | None = None

    @property
    def session(self) -> SessionKey:
        """Institution and session."""
        return (self.institution_id, self.session_id)

    def is_held(self, now: datetime) -> bool:
        """Return whether its seat is away, and counts against the license."""
        return self.ended_at is None and now - LEEWAY < self.ends_at

    def state(self, now: datetime) -> LeaseState:
        """Return the state at `now`, whether or not its end is stored."""
        if self.forked_at is not None:
            return LeaseState.FORKED
        if self.end_reason is LeaseEndReason.RETURNED:
            return LeaseState.RETURNED
        return LeaseState.OPEN if self.is_held(now) else LeaseState.ENDED

    def at(self, now: datetime) -> "Lease":
        """Return the lease as it is at `now`: one that is over has its end."""
        return self if self.is_held(now) or self.ended_at is not None else expired(self)


def expired(lease: Lease) -> Lease:
    """Return a lease that is over by time."""
    return replace(lease, ended_at=lease.ends_at, end_reason=LeaseEndReason.EXPIRED)


def ended(lease: Lease, reason: LeaseEndReason, now: datetime) -> Lease:
    """Return a lease that ends now, or as it is if it is over."""
    at = lease.at(now)
    return at if at.ended_at is not None else replace(at, ended_at=now, end_reason=reason)


def end_for(license_: License, days: int, now: datetime) -> datetime:
    """Return when a lease ends that is asked for now: in whole seconds, within the term.

    Raises:
        Refused: `LeaseLimitReached` for a license whose seats are not borrowed for so long.
    """
    if license_.max_borrow_days == 0:
        raise errors.not_lent()
    if days > license_.max_borrow_days:
        raise errors.too_many_days(license_.max_borrow_days)
    end, term_end = now + timedelta(days=days), license_.ends_at(now)
    return (end if term_end is None else min(end, term_end)).replace(microsecond=0)


class Others(Struct, frozen=True):
    """What counts against another lease: the device's own ones, and how many seats are away."""

    own: list[Lease]
    away: int


def require_free(license_: License, others: Others, now: datetime) -> None:
    """Check that a device may borrow one more seat of the license.

    Raises:
        Refused: `LeaseForked`, `LeaseLimitReached`.
    """
    for lease in others.own:
        if lease.forked_at is None and lease.is_held(now):
            raise errors.has_one(lease.ends_at)
        if lease.forked_at is not None and lease.acknowledged_at is None:
            raise errors.forked()
    most = license_.max_borrowed_seats
    if most is not None and others.away >= most:
        raise errors.too_many_away(most)


def require_same_issue(lease: Lease, hardware_id: str, days: int, session: UUID | None) -> None:
    """Check that a request with the idempotency key of a lease is the one that began it.

    Raises:
        Refused: `IdempotencyKeyReused`, also if the lease has ended or was renewed since: what the
            device would get is not what it was given.
    """
    same = (lease.hardware_id, lease.issue_days) == (hardware_id, days)
    same = same and session in {None, lease.session_id}
    if not same or lease.seq > 1 or lease.ended_at is not None or lease.forked_at is not None:
        raise errors.key_reused()


class Renewal(Struct, frozen=True):
    """A request to keep a seat longer; `seq` is that of the newest token of the device."""

    seq: int
    days: int
    key: str


def is_fork(lease: Lease, seq: int, renewal_key: str | None) -> bool:
    """Return whether a device is in an older state than the newest, and not for a lost answer."""
    return seq < lease.seq and (renewal_key is None or renewal_key != lease.renewal_key)


def forked(lease: Lease, now: datetime) -> Lease:
    """Return a lease that is used from two states of its device."""
    return replace(lease, forked_at=now)


def is_repeated(lease: Lease, renewal: Renewal) -> bool:
    """Return whether a renewal was made already, and its answer was lost.

    Raises:
        Refused: `IdempotencyKeyReused`.
    """
    if renewal.key != lease.renewal_key:
        return False
    if renewal.days != lease.renewal_days:
        raise errors.key_reused()
    return True


def require_open(lease: Lease, now: datetime) -> None:
    """Check that a lease can still be used.

    Raises:
        Refused: `LeaseNotFound`, `LeaseForked`.
    """
    if not lease.is_held(now):
        raise errors.unknown()
    if lease.forked_at is not None:
        raise errors.forked()


def renewed(lease: Lease, license_: License, renewal: Renewal, now: datetime) -> Lease:
    """Return an open lease with its next token, which ends later, or at least not sooner.

    Raises:
        Refused: `LeaseLimitReached`; `InvalidRequest` for a `seq` that no token has.
    """
    if renewal.seq > lease.seq:
        raise errors.future_seq(lease.seq)
    if lease.recalled_at is not None:
        raise errors.recalled()
    end = end_for(license_, renewal.days, now)
    return replace(
        lease,
        seq=lease.seq + 1,
        signed_at=now,
        ends_at=max(end, lease.ends_at),
        renewal_key=renewal.key,
        renewal_days=renewal.days,
    )

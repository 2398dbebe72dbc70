"""Leases, and what becomes of them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from licet_server.devices.rules.proofs import ShownProof
from licet_server.leases import errors
from licet_server.leases.rules.journal import Settled, genesis_of
from licet_server.licenses.rules.model import BORROW_MAX_DAYS, License
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials
from licet_server.sessions.rules.model import LEEWAY, SessionKey

SETTLING_TIME = timedelta(days=30)
"""So long after its end a device can account for what it reserved."""
BorrowedDays = Annotated[int, Meta(ge=1, le=BORROW_MAX_DAYS)]


class LeaseKind(StrEnum):
    """What a lease is of."""

    SEAT = "Seat"
    CREDITS = "Credits"


class LeaseState(StrEnum):
    """What a lease is at an instant; one that is `Forked` stays so."""

    OPEN = "Open"
    RETURNED = "Returned"
    ENDED = "Ended"
    FORKED = "Forked"


class LeaseEndReason(StrEnum):
    """Why nothing of a lease is away any more."""

    RETURNED = "Returned"
    EXPIRED = "Expired"
    FORCED = "Forced"
    LICENSE_DELETED = "LicenseDeleted"


class Lease(Struct, frozen=True, kw_only=True):
    """A seat or credits that a device took away, whose key has the thumbprint `jkt`.

    `seq` counts its tokens, of which the newest was signed at `signed_at`. `license_key_hash` is of
    the key that the device sent. `issue_key` and `renewal_key` are the idempotency keys of the
    requests for the first and the newest token, and the `days` are what these asked for.

    A seat has a session, and a `quantity` of 1. Of credits, `settled` lines of the device's journal
    are charged, which cost `spent` in all, and `settled_head` is the hash of the last of them. What
    was left went back when the lease ended (`refunded`), or was charged. `prices` are those that
    the device was given, by feature; `None` in count mode.

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
    session_id: UUID | None
    quantity: Decimal
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
    prices: Mapping[str, str] | None = None
    spent: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)
    settled: int = 0
    settled_head: str | None = None
    last_report_at: datetime | None = None

    @property
    def session(self) -> SessionKey:
        """Institution and session, of a seat.

        Raises:
            ValueError: for what has no session.
        """
        if self.session_id is None:
            raise ValueError("the lease has no session")
        return (self.institution_id, self.session_id)

    @property
    def is_credits(self) -> bool:
        """Whether it is of credits."""
        return self.kind is LeaseKind.CREDITS

    @property
    def over_at(self) -> datetime:
        """When it is over by time."""
        return self.ends_at + (SETTLING_TIME if self.is_credits else LEEWAY)

    @property
    def rest(self) -> Decimal:
        """What of its credits no settled line has spent."""
        return self.quantity - self.spent

    @property
    def held(self) -> Decimal:
        """What of its credits is set aside."""
        return self.rest if self.is_credits and self.ended_at is None else Decimal(0)

    @property
    def journal(self) -> Settled:
        """How far the journal of its device is settled."""
        return Settled(
            lines=self.settled,
            head=self.settled_head or genesis_of(self.id),
            spent=self.spent,
            quantity=self.quantity,
            prices=self.prices,
        )

    def is_held(self, now: datetime) -> bool:
        """Return whether something of it is away, and counts against the license."""
        return self.ended_at is None and now < self.over_at

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


def expired(lease: Lease, refunded: Decimal = Decimal(0)) -> Lease:
    """Return a lease that is over by time; of credits, so many go back."""
    at = lease.over_at if lease.is_credits else lease.ends_at
    return replace(lease, ended_at=at, end_reason=LeaseEndReason.EXPIRED, refunded=refunded)


def ended(lease: Lease, reason: LeaseEndReason, now: datetime) -> Lease:
    """Return a lease that ends now, or as it is if it is over."""
    at = lease.at(now)
    if at.ended_at is not None:
        return at
    refunded = at.rest if at.is_credits else Decimal(0)
    return replace(at, ended_at=now, end_reason=reason, refunded=refunded)


def end_for(license_: License, kind: LeaseKind, days: int, now: datetime) -> datetime:
    """Return when a lease ends that is asked for now: in whole seconds, within the term.

    Raises:
        Refused: `LeaseLimitReached` for a license of which nothing is lent for so long.
    """
    most = license_.max_borrow_days
    if kind is LeaseKind.CREDITS:
        if most == 0 or license_.max_offline_credits is None:
            raise errors.not_reserved()
        if days > most:
            raise errors.too_many_days_reserved(most)
    elif most == 0 or license_.traits.is_metered:
        raise errors.not_lent()
    elif days > most:
        raise errors.too_many_days(most)
    end, term_end = now + timedelta(days=days), license_.ends_at(now)
    return (end if term_end is None else min(end, term_end)).replace(microsecond=0)


class Others(Struct, frozen=True):
    """What counts against another lease: the device's own ones, and how many seats are away."""

    own: list[Lease]
    away: int = 0


def require_free(license_: License, others: Others, now: datetime) -> None:
    """Check that a device may take one more seat, or credits, of the license.

    Raises:
        Refused: `LeaseForked`, `LeaseLimitReached`.
    """
    for lease in others.own:
        if lease.forked_at is None and lease.is_held(now):
            raise (
                errors.has_reserved(lease.ends_at)
                if lease.is_credits
                else errors.has_one(lease.ends_at)
            )
        if lease.forked_at is not None and lease.acknowledged_at is None:
            raise errors.forked()
    most = license_.max_borrowed_seats
    if most is not None and others.away >= most:
        raise errors.too_many_away(most)


class IssueRequest(Struct, frozen=True, kw_only=True):
    """An application's request for a lease: `quantity` credits, or a seat.

    The seat is that of a session, or else a new one.
    """

    license_key: str
    hardware_id: str
    kind: LeaseKind
    days: int
    idempotency_key: str
    quantity: Decimal = Decimal(1)
    session_id: UUID | None = None
    instance_id: str | None = None
    device_name: str | None = None
    app_version: str | None = None
    credentials: Credentials = NO_CREDENTIALS
    shown: ShownProof


def require_same_issue(lease: Lease, request: IssueRequest) -> None:
    """Check that a request with the idempotency key of a lease is the one that began it.

    Raises:
        Refused: `IdempotencyKeyReused`, also if the lease has ended or was renewed since: what the
            device would get is not what it was given.
    """
    began = (lease.kind, lease.hardware_id, lease.issue_days, lease.quantity)
    same = began == (request.kind, request.hardware_id, request.days, request.quantity)
    same = same and request.session_id in {None, lease.session_id}
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

    What is reserved stays as it is, and so do its prices.

    Raises:
        Refused: `LeaseLimitReached`; `InvalidRequest` for a `seq` that no token has.
    """
    if renewal.seq > lease.seq:
        raise errors.future_seq(lease.seq)
    if lease.recalled_at is not None:
        raise errors.reservation_recalled() if lease.is_credits else errors.recalled()
    end = end_for(license_, lease.kind, renewal.days, now)
    return replace(
        lease,
        seq=lease.seq + 1,
        signed_at=now,
        ends_at=max(end, lease.ends_at),
        renewal_key=renewal.key,
        renewal_days=renewal.days,
    )


def accounted(lease: Lease, settled: Settled, now: datetime) -> Lease:
    """Return a lease of whose journal so much is settled."""
    return replace(
        lease,
        settled=settled.lines,
        settled_head=settled.head,
        spent=settled.spent,
        last_report_at=now,
    )

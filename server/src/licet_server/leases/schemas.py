"""Wire shapes of leases."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import HardwareId, LicenseBody, Short
from licet_server.kit.amounts import plain
from licet_server.kit.web.body import Body, RuntimeBody
from licet_server.kit.web.views import view_of
from licet_server.leases import errors
from licet_server.leases.rules.journal import LINES_AT_ONCE
from licet_server.leases.rules.model import (
    BorrowedDays,
    IssueRequest,
    LeaseEndReason,
    LeaseKind,
    LeaseState,
    Renewal,
)
from licet_server.leases.service.borrowing import GivenBack
from licet_server.leases.service.operators import ListedLease
from licet_server.leases.service.reserving import Accounted
from licet_server.leases.service.tokens import IssuedLease
from licet_server.sessions.schemas import InstanceId

IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=128)]
Seq = Annotated[int, Meta(ge=1, le=2**31 - 1)]
ReceiptText = Annotated[str, Meta(min_length=1, max_length=10_000)]
Journal = Annotated[list[str], Meta(max_length=LINES_AT_ONCE)]


class BorrowBody(LicenseBody, kw_only=True):
    """What to take away: a seat, or `amount` credits.

    The seat is that of the session `sessionId`, or else a new one. `idempotencyKey` makes a retry
    safe: the same request again gets the same lease.
    """

    hardware_id: HardwareId
    kind: LeaseKind = LeaseKind.SEAT
    days: BorrowedDays
    amount: Decimal | None = None
    session_id: UUID | None = None
    instance_id: InstanceId | None = None
    device_name: Short | None = None
    app_version: Short | None = None
    idempotency_key: IdempotencyKey

    def request(self, shown: ShownProof) -> IssueRequest:
        """Return the request that the body describes; empty texts count as omitted.

        Raises:
            Refused: `InvalidRequest` for an amount of a seat, for credits without one, and for
                credits with what a seat has.
        """
        if self.kind is LeaseKind.SEAT and self.amount is not None:
            raise errors.not_for_seats("amount")
        if self.kind is LeaseKind.CREDITS:
            if self.session_id is not None:
                raise errors.not_for_credits("sessionId")
            if self.instance_id is not None:
                raise errors.not_for_credits("instanceId")
            if self.amount is None:
                raise errors.amount_required()
        return IssueRequest(
            license_key=self.license_key,
            hardware_id=self.hardware_id,
            kind=self.kind,
            days=self.days,
            quantity=Decimal(1) if self.amount is None else self.amount,
            idempotency_key=self.idempotency_key,
            session_id=self.session_id,
            instance_id=self.instance_id,
            device_name=self.device_name or None,
            app_version=self.app_version or None,
            credentials=self.credentials,
            shown=shown,
        )


class RenewBody(RuntimeBody):
    """How long to keep the seat or the credits from now on.

    `seq` is that of the newest token that the device has. A device that never got the answer sends
    the same request again, with the same `idempotencyKey`.
    """

    seq: Seq
    days: BorrowedDays
    idempotency_key: IdempotencyKey

    def renewal(self) -> Renewal:
        """Return the renewal that the body describes."""
        return Renewal(self.seq, self.days, self.idempotency_key)


class ReturnBody(RuntimeBody):
    """The receipt by which a device gives back what it has: a compact JWS (ES256) by its key.

    `idempotencyKey` is that of a renewal whose answer the device never got, if there is one.
    `journal` has the lines of credits that were spent and not reported, up to the last one of the
    receipt.
    """

    receipt: ReceiptText
    idempotency_key: IdempotencyKey | None = None
    journal: Journal = []

    def given_back(self) -> GivenBack:
        """Return what the body gives back."""
        return GivenBack(self.receipt, self.journal, self.idempotency_key)


class ReportBody(RuntimeBody):
    """A receipt of the kind Used, and the lines of the journal up to its last one.

    They begin at any line that was reported before, or with the first one that was not.
    """

    receipt: ReceiptText
    journal: Journal


class LeaseAnswer(Struct, rename="camel"):
    """What was taken away; `lease` is the signed token by which the device uses it until `endsAt`.

    For a seat, `balance` is null, and `seatsTotal` where there is no limit. For credits, `quantity`
    is how many, `balance` what is left to all other devices, and the session and the seats are
    null.
    """

    lease_id: UUID
    kind: LeaseKind
    seq: int
    lease: str
    quantity: Decimal
    issued_at: datetime
    ends_at: datetime
    session_id: UUID | None
    seats_used: int | None
    seats_total: int | None
    balance: Decimal | None
    server_time: datetime


class ReturnAnswer(Struct, rename="camel"):
    """What became of the lease: `Returned`, or `Ended` where it was over before.

    For credits, `settled` is how many lines of the journal are charged, `refunded` what went back
    to the balance unspent, and `balance` what that is now; for a seat they are null.
    """

    lease_id: UUID
    state: LeaseState
    ended_at: datetime | None
    settled: int | None
    refunded: Decimal | None
    balance: Decimal | None


class ReportAnswer(Struct, rename="camel"):
    """How far the journal is charged (`settled` lines), and what of the credits is still `held`.

    Of a lease that has ended, as `state` says, nothing was charged.
    """

    lease_id: UUID
    state: LeaseState
    settled: int
    held: Decimal
    balance: Decimal


class RecallBody(Body):
    """With `force`, what is away is free at once, though its device works on until the end."""

    force: bool = False


class LeaseView(Struct, rename="camel"):
    """A lease as operators see it.

    `jkt` is the thumbprint of its device's key. A lease that was `recalledAt` is not renewed. One
    that is `Forked` stays so: what it has is away until `endedAt`, and its device borrows nothing
    else until `acknowledgedAt`.

    Of credits, `held` is what is set aside, `spent` what the reported lines (`settledLines`) cost,
    and `settlesAt` when what nobody has accounted for by then is charged or given back; for a seat
    they are null.
    """

    id: UUID
    license_id: UUID
    kind: LeaseKind
    state: LeaseState
    seq: int
    quantity: Decimal
    held: Decimal | None
    spent: Decimal | None
    settled_lines: int | None
    last_report_at: datetime | None
    settles_at: datetime | None
    session_id: UUID | None
    hardware_id: str
    device_name: str | None
    jkt: str
    issued_at: datetime
    ends_at: datetime
    recalled_at: datetime | None
    forked_at: datetime | None
    acknowledged_at: datetime | None
    ended_at: datetime | None
    end_reason: LeaseEndReason | None


def lease_answer(issued: IssuedLease, now: datetime) -> LeaseAnswer:
    """Convert a lease for its application."""
    lease = issued.lease
    return LeaseAnswer(
        lease_id=lease.id,
        kind=lease.kind,
        seq=lease.seq,
        lease=issued.token,
        quantity=plain(lease.quantity),
        issued_at=lease.issued_at,
        ends_at=lease.ends_at,
        session_id=lease.session_id,
        seats_used=issued.seats_used,
        seats_total=issued.seats_total,
        balance=_plain(issued.balance),
        server_time=now,
    )


def return_answer(given_back: Accounted, now: datetime) -> ReturnAnswer:
    """Convert a lease that was given back."""
    lease = given_back.lease
    return ReturnAnswer(
        lease_id=lease.id,
        state=lease.state(now),
        ended_at=lease.ended_at,
        settled=lease.settled if lease.is_credits else None,
        refunded=plain(lease.refunded) if lease.is_credits else None,
        balance=_plain(given_back.balance),
    )


def report_answer(reported: Accounted, now: datetime) -> ReportAnswer:
    """Convert a lease of which was reported."""
    lease = reported.lease
    return ReportAnswer(
        lease_id=lease.id,
        state=lease.state(now),
        settled=lease.settled,
        held=plain(lease.held),
        balance=plain(reported.balance or Decimal(0)),
    )


def lease_view(listed: ListedLease) -> LeaseView:
    """Convert a lease for operators, as it is at an instant."""
    stored, now = listed
    lease, of_credits = stored.at(now), stored.is_credits
    return view_of(
        LeaseView,
        lease,
        state=lease.state(now),
        quantity=plain(lease.quantity),
        held=plain(lease.held) if of_credits else None,
        spent=plain(lease.spent) if of_credits else None,
        settled_lines=lease.settled if of_credits else None,
        settles_at=lease.over_at if of_credits else None,
    )


def _plain(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else plain(amount)

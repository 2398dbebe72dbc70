"""Wire shapes of leases."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.proofs import ShownProof
from licet_server.devices.schemas import HardwareId, LicenseBody, Short
from licet_server.kit.web.body import Body, RuntimeBody
from licet_server.kit.web.views import view_of
from licet_server.leases.rules.model import (
    BorrowedDays,
    Lease,
    LeaseEndReason,
    LeaseKind,
    LeaseState,
    Renewal,
)
from licet_server.leases.service.borrowing import BorrowRequest, IssuedLease
from licet_server.leases.service.operators import ListedLease
from licet_server.sessions.schemas import InstanceId

IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=128)]
Seq = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class BorrowBody(LicenseBody, kw_only=True):
    """The seat to borrow: that of the session `sessionId`, or else a new one.

    `idempotencyKey` makes a retry safe: the same request again gets the same lease.
    """

    hardware_id: HardwareId
    kind: LeaseKind = LeaseKind.SEAT
    days: BorrowedDays
    session_id: UUID | None = None
    instance_id: InstanceId | None = None
    device_name: Short | None = None
    app_version: Short | None = None
    idempotency_key: IdempotencyKey

    def request(self, shown: ShownProof) -> BorrowRequest:
        """Return the request that the body describes; empty texts count as omitted."""
        return BorrowRequest(
            license_key=self.license_key,
            hardware_id=self.hardware_id,
            days=self.days,
            idempotency_key=self.idempotency_key,
            session_id=self.session_id,
            instance_id=self.instance_id,
            device_name=self.device_name or None,
            app_version=self.app_version or None,
            credentials=self.credentials,
            shown=shown,
        )


class RenewBody(RuntimeBody):
    """How long to keep the seat from now on.

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
    """The receipt by which a device gives its seat back: a compact JWS (ES256) by its key.

    `idempotencyKey` is that of a renewal whose answer the device never got, if there is one.
    """

    receipt: Annotated[str, Meta(min_length=1, max_length=10_000)]
    idempotency_key: IdempotencyKey | None = None


class LeaseAnswer(Struct, rename="camel"):
    """A borrowed seat; `lease` is the signed token by which the device uses it until `endsAt`.

    `seatsTotal` is null where there is no limit.
    """

    lease_id: UUID
    kind: LeaseKind
    seq: int
    lease: str
    quantity: int
    issued_at: datetime
    ends_at: datetime
    session_id: UUID
    seats_used: int
    seats_total: int | None
    server_time: datetime


class ReturnAnswer(Struct, rename="camel"):
    """What became of the lease: `Returned`, or `Ended` where it was over before."""

    lease_id: UUID
    state: LeaseState
    ended_at: datetime | None


class RecallBody(Body):
    """With `force`, the seat is free at once, though its device works on until the end."""

    force: bool = False


class LeaseView(Struct, rename="camel"):
    """A lease as operators see it.

    `jkt` is the thumbprint of its device's key. A lease that was `recalledAt` is not renewed. One
    that is `Forked` stays so: its seat is away until `endedAt`, and its device borrows no other one
    until `acknowledgedAt`.
    """

    id: UUID
    license_id: UUID
    kind: LeaseKind
    state: LeaseState
    seq: int
    quantity: int
    session_id: UUID
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
        quantity=lease.quantity,
        issued_at=lease.issued_at,
        ends_at=lease.ends_at,
        session_id=lease.session_id,
        seats_used=issued.seats_used,
        seats_total=issued.seats_total,
        server_time=now,
    )


def return_answer(lease: Lease, now: datetime) -> ReturnAnswer:
    """Convert a lease that was given back."""
    return ReturnAnswer(lease_id=lease.id, state=lease.state(now), ended_at=lease.ended_at)


def lease_view(listed: ListedLease) -> LeaseView:
    """Convert a lease for operators, as it is at an instant."""
    lease, now = listed
    return view_of(LeaseView, lease.at(now), state=lease.state(now))

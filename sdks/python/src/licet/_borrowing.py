"""Borrowing a seat, renewing it and giving it back, so that no lost answer does harm.

What changes a lease is written to disk before it is sent. A request without an answer is sent again
as it was, and a seat that is given back is not used any more from the moment that is written.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from licet._api import call
from licet._clock import format_time, read_clock
from licet._core import LicenseCore
from licet._error_codes import lease_refused
from licet._flow import Flow
from licet._held_lease import own_lease, usable_lease, verified_lease
from licet._jose import RejectedTokenError
from licet._lease import Lease
from licet._lease_calls import (
    ENDS_RENEWALS,
    FINAL,
    LEASES,
    LENT,
    PAUSE_SECONDS,
    REPORT_SECONDS,
    SETTLES,
    action,
    receipt_claims,
    require_days,
    run_alone,
    unexpected_reply,
)
from licet._lease_file import NOTHING_KEPT, KeptLease, PendingRequest
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet._transport import Transport
from licet.errors import LicetError, RequestRefusedError

S = TypeVar("S")
P = ParamSpec("P")

_log = logging.getLogger("licet")


class BorrowedSeatInfo:
    """The properties shared by sync and async borrowed seats."""

    def __init__(self, core: LicenseCore, lease: Lease) -> None:
        self._core, self._lease = core, lease

    @property
    def lease_id(self) -> str:
        """The ID of the lease, as the dashboard shows it."""
        return self._lease.id

    @property
    def seq(self) -> int:
        """How often the lease was signed: 1 at first, and one more at each renewal."""
        return self._lease.seq

    @property
    def ends_at(self) -> datetime:
        """Until when the seat may be used without the server."""
        return self._lease.ends_at

    def __repr__(self) -> str:
        return f"{type(self).__name__}(ends_at={self.ends_at.isoformat()!r})"


class BorrowedSeat(BorrowedSeatInfo):
    """A seat that this device has borrowed, and uses without the server until its end.

    >>> with floating.session() as session:
    ...     seat = session.borrow(days=14)
    >>> floating.validate_offline().lease_ends_at == floating.borrowed_seat().ends_at
    True
    >>> seat.renew(days=30).seq
    2
    >>> seat.return_()
    >>> floating.borrowed_seat() is None
    True
    """

    def __init__(self, core: LicenseCore, connect: Callable[[], Transport], lease: Lease) -> None:
        super().__init__(core, lease)
        self._connect = connect

    def renew(self, days: int = 14) -> Self:
        """Borrow the seat for so many days from now; never for less than before.

        Args:
            days: 1 to 366.

        Raises:
            ValueError: The days are out of range; nothing was sent.
            LeaseRefusedError: The vendor has recalled the seat, does not lend it for so long, or a
                copy of this device has renewed it.
            NetworkError: The server did not respond; the seat stays borrowed as it was.
            ServerFaultError: The server responded with an error.
        """
        self._lease = run_alone(renew(self._core, days), self._connect)
        return self

    def return_(self) -> None:
        """Give the seat back before its end.

        From now on this device does not use it, and reports it to the server. What cannot be
        reported now is kept, and reported at the next contact.

        Raises:
            NetworkError: The server did not respond yet.
            ServerFaultError: The server responded with an error.
            LicenseFileError: It cannot be written to disk; the seat is still borrowed.
        """
        run_alone(give_back(self._core), self._connect)


def session_to_borrow(session: S | None) -> S:
    """The session whose seat is borrowed.

    Raises:
        LeaseRefusedError: There is none, since the license has no seats that are borrowed.
    """
    if session is None:
        raise lease_refused("LeaseLimitReached")
    return session


def alone(
    make: Callable[Concatenate[LicenseCore, P], Flow[S]],
) -> Callable[Concatenate[LicenseCore, P], Flow[S]]:
    """Make a flow wait for other copies: two renewals at once look like a copied folder."""

    def in_its_turn(core: LicenseCore, /, *args: P.args, **kwargs: P.kwargs) -> Flow[S]:
        flow = make(core, *args, **kwargs)
        return core.leases.turn.within(flow, core.config.timeout, PAUSE_SECONDS)

    return in_its_turn


@alone
def borrow(core: LicenseCore, days: int, session_id: str, instance_id: str) -> Flow[Lease]:
    """Borrow the seat of a live session, or finish borrowing one whose answer was lost."""
    require_days(days)
    if core.leases.read().returning is not None:
        yield from _report(core, DEFAULT_RETRIES, None)
    unfinished = core.leases.read().pending
    if unfinished is not None and unfinished.seq is None:
        try:
            return (yield from _request_seat(core, unfinished, instance_id))
        except RequestRefusedError as error:
            _drop(core, unfinished)
            _log.info("a seat was not borrowed after all: %s", error.message)
    require_none_borrowed(core)
    pending = PendingRequest(secrets.token_hex(16), days, session_id)
    # A lease that cannot be used now, as under a wrong clock, is still there if this is refused.
    core.leases.update(lambda kept: replace(kept, pending=pending))
    try:
        return (yield from _request_seat(core, pending, instance_id))
    except RequestRefusedError:
        _drop(core, pending)
        raise


@alone
def renew(core: LicenseCore, days: int) -> Flow[Lease]:
    """Renew the lease, after a renewal whose answer was lost."""
    require_days(days)
    unfinished = core.leases.read().pending
    if unfinished is not None and unfinished.seq is not None:
        _usable(core)  # what this device refuses by itself settles nothing
        try:
            renewed = yield from _request_renewal(core, unfinished)
        except RequestRefusedError as error:
            # The first attempt may have been made, so any other refusal does not settle it.
            if error.error_code in SETTLES:
                _drop(core, unfinished)
            if error.error_code not in SETTLES or error.error_code in ENDS_RENEWALS:
                raise
            _log.info("the seat was not renewed after all: %s", error.message)
        else:
            if unfinished.days == days:
                return renewed
    pending = PendingRequest(secrets.token_hex(16), days, seq=_usable(core).seq)
    core.leases.update(lambda kept: replace(kept, pending=pending))
    try:
        return (yield from _request_renewal(core, pending))
    except RequestRefusedError:
        _drop(core, pending)
        raise


@alone
def give_back(core: LicenseCore) -> Flow[None]:
    """Stop using the seat, then report it. Does nothing if there is none."""
    core.leases.update(lambda kept: _given_back(core, kept))
    if core.leases.read().returning is not None:
        yield from _report(core, DEFAULT_RETRIES, None)


def find_borrowed(core: LicenseCore) -> Flow[Lease | None]:
    """The lease that may be used now, after what was given back is reported."""
    yield from report_quietly(core)
    return usable_lease(core)


def report_quietly(core: LicenseCore) -> Flow[None]:
    """Report a seat that was given back, if there is one, in one attempt. A failure is logged."""
    leases = core.leases
    if leases.read().returning is None or (handle := leases.turn.begin()) is None:
        return
    try:
        if leases.read().returning is not None:
            yield from _report(core, NO_RETRIES, REPORT_SECONDS)
    except LicetError as error:
        _log.info("the return of a borrowed seat was not reported: %s", error.message)
    finally:
        leases.turn.end(handle)


def require_none_borrowed(core: LicenseCore) -> None:
    """Check that this device has not borrowed a seat.

    Raises:
        LeaseRefusedError: It has.
    """
    lease = usable_lease(core)
    if lease is not None:
        until = format_time(lease.ends_at)
        message = f"This device has borrowed a seat until {until}. Renew or return it."
        raise lease_refused("LeaseLimitReached", message)


def _usable(core: LicenseCore) -> Lease:
    lease = usable_lease(core)
    if lease is None:
        raise lease_refused("LeaseNotFound")
    return lease


def _request_seat(core: LicenseCore, pending: PendingRequest, instance_id: str) -> Flow[Lease]:
    body = {
        "licenseKey": core.required_key(),
        "hardwareId": core.hardware_id,
        "kind": "Seat",
        "days": pending.days,
        "sessionId": pending.session_id,
        "instanceId": instance_id,
        "deviceName": core.config.device_name,
        "appVersion": core.config.app_version,
        **core.credentials,
        "idempotencyKey": pending.idempotency_key,
    }
    return (yield from _ask(core, LEASES, body, pending))


def _request_renewal(core: LicenseCore, pending: PendingRequest) -> Flow[Lease]:
    body = {
        "days": pending.days,
        "seq": pending.seq,
        "idempotencyKey": pending.idempotency_key,
    }
    return (yield from _ask(core, action(_usable(core).id, "renew"), body, pending))


def _ask(
    core: LicenseCore, path: str, body: Mapping[str, Any], pending: PendingRequest
) -> Flow[Lease]:
    """Send a request, and keep the token that it is answered with."""
    response, request_id = yield from call(core, path, body, success=LENT)
    token, session_id = response.get("lease"), response.get("sessionId")
    lease = _read_answer(core, token, pending, request_id)
    session_id = session_id if isinstance(session_id, str) else pending.session_id

    def take(kept: KeptLease) -> KeptLease:
        if kept.returning is not None:
            return kept
        own = session_id if pending.seq is None else kept.session_id
        return KeptLease(str(token), own)

    core.leases.update(take)
    return lease


def _drop(core: LicenseCore, pending: PendingRequest) -> None:
    """Forget a request that the server has settled."""
    core.leases.update(
        lambda kept: replace(kept, pending=None) if kept.pending == pending else kept
    )


def _read_answer(
    core: LicenseCore, token: object, pending: PendingRequest, request_id: str | None
) -> Lease:
    before = None if pending.seq is None else verified_lease(core)
    try:
        lease = own_lease(core, token, core.known_key()) if isinstance(token, str) else None
    except RejectedTokenError as reason:
        raise unexpected_reply(str(reason), request_id) from reason
    if lease is None:
        raise unexpected_reply("it has none", request_id)
    if before is not None and token != core.leases.read().token:
        is_later = lease.seq > before.seq and lease.ends_at >= before.ends_at
        if lease.id != before.id or not is_later:
            raise unexpected_reply("it is older than the one that is there", request_id)
    return lease


def _given_back(core: LicenseCore, kept: KeptLease) -> KeptLease:
    lease, key = verified_lease(core), core.device_key.find()
    if kept.returning is not None:
        return kept
    if lease is None or key is None:
        return kept
    at = read_clock(core.config.clock)
    receipt = key.receipt(core.config.product_id, lease.id, lease.seq, at)
    is_renewal = kept.pending is not None and kept.pending.seq is not None
    return KeptLease(pending=kept.pending if is_renewal else None, returning=receipt)


def _report(core: LicenseCore, retries: RetryPolicy, timeout: float | None) -> Flow[None]:
    """Report the seat that was given back, until the server has said its last word."""
    kept = core.leases.read()
    body = {
        "receipt": kept.returning,
        "idempotencyKey": None if kept.pending is None else kept.pending.idempotency_key,
    }

    def without_receipt(now: KeptLease) -> KeptLease:
        return NOTHING_KEPT if now.returning == kept.returning else now

    lease_id = receipt_claims(kept.returning or "").get("lease")
    try:
        if isinstance(lease_id, str):
            path = action(lease_id, "return")
            yield from call(core, path, body, retries=retries, timeout=timeout)
    except RequestRefusedError as error:
        if error.http_status in FINAL:
            core.leases.update(without_receipt)
        if error.error_code == "LeaseNotFound":
            return
        raise
    core.leases.update(without_receipt)

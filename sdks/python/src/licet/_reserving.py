"""Reserving credits, reporting what was spent, and giving the rest back.

As with borrowed seats, what changes a reservation is written to disk before it is sent, and a
request without an answer is sent again as it was. Copies of the application do so one at a time:
two reports at once could arrive in the wrong order, which looks like a copied folder.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Concatenate, ParamSpec, TypeVar

from licet._amounts import exact_number
from licet._api import call
from licet._clock import format_time
from licet._core import LicenseCore
from licet._credits_file import NO_CREDITS, KeptCredits, PendingCredits
from licet._error_codes import lease_refused
from licet._file_check import HeldCredits
from licet._flow import Flow
from licet._held_credits import ended_credits, own_credits, usable_credits, verified_credits
from licet._jose import RejectedTokenError
from licet._journal_reports import Journey, send_lines, send_return
from licet._lease import CreditLease
from licet._lease_calls import (
    ENDS_RENEWALS,
    LEASES,
    LENT,
    PAUSE_SECONDS,
    REPORT_SECONDS,
    SETTLES,
    action,
    require_days,
    unexpected_reply,
)
from licet._retries import NO_RETRIES
from licet._spending import begin_moment
from licet.errors import LicetError, RequestRefusedError

S = TypeVar("S")
P = ParamSpec("P")

_log = logging.getLogger("licet")


def in_turn(
    make: Callable[Concatenate[LicenseCore, P], Flow[S]],
) -> Callable[Concatenate[LicenseCore, P], Flow[S]]:
    """Make a flow wait for other copies that talk with the server about the same credits."""

    def in_its_turn(core: LicenseCore, /, *args: P.args, **kwargs: P.kwargs) -> Flow[S]:
        flow = make(core, *args, **kwargs)
        return core.credits.turn.within(flow, core.config.timeout, PAUSE_SECONDS)

    return in_its_turn


@in_turn
def reserve(core: LicenseCore, amount: Decimal, days: int) -> Flow[HeldCredits]:
    """Reserve credits, or finish reserving some whose answer was lost."""
    require_days(days)
    kept = core.credits.kept
    yield from _return_ended(core)
    if kept.read().returning is not None:
        yield from send_return(core)
    unfinished = kept.read().pending
    if unfinished is not None and unfinished.seq is None:
        try:
            return (yield from _request_credits(core, unfinished))
        except RequestRefusedError as error:
            _drop(core, unfinished)
            _log.info("credits were not reserved after all: %s", error.message)
    held = usable_credits(core)
    if held is not None:
        until = format_time(held.lease.ends_at)
        message = f"This device has reserved credits until {until}. Renew or return them."
        raise lease_refused("LeaseLimitReached", message)
    pending = PendingCredits(secrets.token_hex(16), days, amount)
    # Credits that cannot be spent now, as under a wrong clock, are still there if this is refused.
    kept.update(lambda now: replace(now, pending=pending))
    try:
        return (yield from _request_credits(core, pending))
    except RequestRefusedError:
        _drop(core, pending)
        raise


@in_turn
def renew_credits(core: LicenseCore, days: int) -> Flow[HeldCredits]:
    """Report what was spent and renew the lease, after a renewal whose answer was lost."""
    require_days(days)
    unfinished = core.credits.kept.read().pending
    renewed = yield from _finish_renewal(core)
    yield from _report(core)
    if renewed is not None and unfinished is not None and unfinished.days == days:
        return _kept_now(core)
    pending = PendingCredits(secrets.token_hex(16), days, seq=_kept_now(core).lease.seq)
    core.credits.kept.update(lambda kept: replace(kept, pending=pending))
    try:
        return (yield from _request_renewal(core, pending))
    except RequestRefusedError:
        _drop(core, pending)
        raise


@in_turn
def report(core: LicenseCore) -> Flow[None]:
    """Report what was spent and is not reported yet."""
    yield from _finish_renewal(core)
    yield from _report(core)


@in_turn
def give_back_credits(core: LicenseCore) -> Flow[None]:
    """Stop spending, then report everything and return the rest. Does nothing without credits."""
    yield from _stop_spending(core, verified_credits)
    if core.credits.kept.read().returning is not None:
        yield from send_return(core)


def find_reserved(core: LicenseCore) -> Flow[HeldCredits | None]:
    """The credits that may be spent now, after what was given back is reported."""
    yield from return_quietly(core)
    return usable_credits(core)


def return_quietly(core: LicenseCore) -> Flow[None]:
    """Report credits that were given back or have ended, in one attempt. A failure is logged."""
    store = core.credits
    if store.kept.read() == NO_CREDITS or (handle := store.turn.begin()) is None:
        return
    try:
        yield from _return_ended(core)
        if store.kept.read().returning is not None:
            yield from send_return(core, NO_RETRIES, REPORT_SECONDS)
    except LicetError as error:
        _log.info("the return of reserved credits was not reported: %s", error.message)
    finally:
        store.turn.end(handle)


def current_credits(core: LicenseCore, lease_id: str) -> HeldCredits | None:
    """What there is of the credits of a lease, whatever the time."""
    held = verified_credits(core)
    return held if held is not None and held.lease.id == lease_id else None


def _kept_now(core: LicenseCore) -> HeldCredits:
    held = verified_credits(core)
    if held is None:
        raise lease_refused("LeaseNotFound")
    return held


def _return_ended(core: LicenseCore) -> Flow[None]:
    """Nobody can ask for what has ended: it is no longer found after a restart."""
    if core.credits.kept.read().token is not None:
        yield from _stop_spending(core, ended_credits)


def _stop_spending(
    core: LicenseCore, find: Callable[[LicenseCore], HeldCredits | None]
) -> Flow[None]:
    """Write down that the credits that are found are given back."""
    handle = yield from begin_moment(core)
    try:
        held, key = find(core), core.device_key.find()
        if held is None or key is None:
            return
        journey = Journey(held.lease.id, held.lease.seq, held.spent)
        receipt = journey.receipt(core, key, "Returned")

        def stop(kept: KeptCredits) -> KeptCredits:
            is_renewal = kept.pending is not None and kept.pending.seq is not None
            pending = kept.pending if is_renewal else None
            return KeptCredits(None, pending, receipt, kept.reported)

        core.credits.kept.update(stop)
    finally:
        core.credits.moment.end(handle)


def _finish_renewal(core: LicenseCore) -> Flow[HeldCredits | None]:
    """Send a renewal again whose answer was lost; ``None`` if none was, or it was not made."""
    unfinished = core.credits.kept.read().pending
    if unfinished is None or unfinished.seq is None:
        return None
    _kept_now(core)  # what this device refuses by itself settles nothing
    try:
        return (yield from _request_renewal(core, unfinished))
    except RequestRefusedError as error:
        # The first attempt may have been made, so any other refusal does not settle it.
        if error.error_code in SETTLES:
            _drop(core, unfinished)
        if error.error_code not in SETTLES or error.error_code in ENDS_RENEWALS:
            raise
        _log.info("the credits were not renewed after all: %s", error.message)
        return None


def _request_credits(core: LicenseCore, pending: PendingCredits) -> Flow[HeldCredits]:
    amount = pending.amount or Decimal(0)
    body = {
        "licenseKey": core.required_key(),
        "hardwareId": core.hardware_id,
        "kind": "Credits",
        "days": pending.days,
        "amount": exact_number(amount),
        "deviceName": core.config.device_name,
        "appVersion": core.config.app_version,
        **core.credentials,
        "idempotencyKey": pending.idempotency_key,
    }
    response, request_id = yield from call(core, LEASES, body, success=LENT)
    terms = _read_answer(core, response, request_id)
    if terms.amount != amount:
        raise unexpected_reply("it is of another amount", request_id)
    # First the journal: credits without one are never spent.
    core.credits.journal.start(terms.lease.id)
    return _take(core, response, KeptCredits())


def _request_renewal(core: LicenseCore, pending: PendingCredits) -> Flow[HeldCredits]:
    before = _kept_now(core)
    body = {"days": pending.days, "seq": pending.seq, "idempotencyKey": pending.idempotency_key}
    path = action(before.lease.id, "renew")
    response, request_id = yield from call(core, path, body, success=LENT)
    terms = _read_answer(core, response, request_id)
    new, old = terms.lease, before.lease
    if (new.id, terms.amount) != (old.id, before.terms.amount):
        raise unexpected_reply("it is of other credits", request_id)
    if response.get("lease") != core.credits.kept.read().token and not (
        new.seq > old.seq and new.ends_at >= old.ends_at
    ):
        raise unexpected_reply("it is older than the one that is there", request_id)
    return _take(core, response, core.credits.kept.read())


def _read_answer(
    core: LicenseCore, response: Mapping[str, Any], request_id: str | None
) -> CreditLease:
    try:
        return own_credits(core, str(response.get("lease")), core.known_key())
    except RejectedTokenError as reason:
        raise unexpected_reply(str(reason), request_id) from reason


def _take(core: LicenseCore, response: Mapping[str, Any], before: KeptCredits) -> HeldCredits:
    taken = KeptCredits(str(response.get("lease")), reported=before.reported)
    core.credits.kept.update(lambda kept: taken if kept.returning is None else kept)
    return _kept_now(core)


def _drop(core: LicenseCore, pending: PendingCredits) -> None:
    """Forget a request that the server has settled."""
    core.credits.kept.update(
        lambda kept: replace(kept, pending=None) if kept.pending == pending else kept
    )


def _report(core: LicenseCore) -> Flow[None]:
    held = _kept_now(core)
    yield from send_lines(core, Journey(held.lease.id, held.lease.seq, held.spent), held.reported)

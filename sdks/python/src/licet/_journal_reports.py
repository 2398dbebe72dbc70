"""Reporting a journal to the server, in parts, each under a receipt of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce

from licet._amounts import EXACT
from licet._api import call
from licet._clock import read_clock
from licet._core import LicenseCore
from licet._credits_file import NO_CREDITS
from licet._device_key import DeviceKey
from licet._error_codes import lease_refused, optional_int
from licet._flow import Flow
from licet._journal import BrokenJournalError
from licet._journal_line import Spent, line_hash, read_line
from licet._lease_calls import FINAL, action, receipt_claims
from licet._retries import DEFAULT_RETRIES, RetryPolicy
from licet.errors import RequestRefusedError

LINES_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Journey:
    """A journal of a lease, up to a line.

    Attributes:
        seq: Which token of the lease is the newest that this device has.
    """

    lease_id: str
    seq: int
    spent: Spent

    def receipt(self, core: LicenseCore, key: DeviceKey, kind: str) -> str:
        """What this device attests about it."""
        at = read_clock(core.config.clock)
        return key.receipt(
            core.config.product_id, self.lease_id, self.seq, at, self.spent.claims, kind
        )

    def parts(self, core: LicenseCore, first: int) -> Iterator[tuple[Spent, list[str]]]:
        """The lines from a number on, in parts, each with how far the journal gets by it."""
        lines = core.credits.journal.lines(self.lease_id, first)[: self.spent.lines + 1 - first]
        costs = [read_line(line).cost for line in lines]
        used = EXACT.subtract(self.spent.used, _sum(costs))
        for start in range(0, len(lines), LINES_AT_ONCE):
            part = lines[start : start + LINES_AT_ONCE]
            used = EXACT.add(used, _sum(costs[start : start + LINES_AT_ONCE]))
            spent = Spent(first + start + len(part) - 1, line_hash(part[-1]), used)
            yield spent, [line.decode() for line in part]


def send_lines(core: LicenseCore, journey: Journey, reported: int) -> Flow[None]:
    """Report the lines after those that are reported."""
    for first in _beginnings(reported):
        try:
            parts = list(journey.parts(core, first))
            yield from _send_parts(core, journey, parts, DEFAULT_RETRIES, None)
        except RequestRefusedError as error:
            if _ends_with(error, first):
                raise
        except BrokenJournalError as reason:
            raise lease_refused("LeaseNotFound") from reason
        else:
            return


def send_return(
    core: LicenseCore, retries: RetryPolicy = DEFAULT_RETRIES, timeout: float | None = None
) -> Flow[None]:
    """Report the credits that were given back, until the server has said its last word."""
    kept = core.credits.kept.read()
    receipt = kept.returning or ""
    journey = _journey_of(receipt)
    if journey is None:
        _forget(core, "")
        return
    for first in _beginnings(kept.reported):
        parts = _parts_left(core, journey, first)
        body = {
            "receipt": receipt,
            "idempotencyKey": None if kept.pending is None else kept.pending.idempotency_key,
            "journal": parts[-1][1] if parts else None,
        }
        path = action(journey.lease_id, "return")
        try:
            if (yield from _send_parts(core, journey, parts[:-1], retries, timeout)):
                yield from call(core, path, body, retries=retries, timeout=timeout)
        except RequestRefusedError as error:
            if not _ends_with(error, first):
                continue
            if error.http_status in FINAL:
                _forget(core, journey.lease_id)
            if error.error_code != "LeaseNotFound":
                raise
        else:
            _forget(core, journey.lease_id)
        return


def _beginnings(reported: int) -> dict[int, None]:
    """The lines to begin with, in the order in which they are tried.

    A server that was restored from a backup has fewer lines than it has confirmed.
    """
    return dict.fromkeys((reported + 1, 1))


def _ends_with(error: RequestRefusedError, first: int) -> bool:
    return error.http_status != 400 or first == 1


def _parts_left(core: LicenseCore, journey: Journey, first: int) -> list[tuple[Spent, list[str]]]:
    try:
        return list(journey.parts(core, first))
    except BrokenJournalError:
        return []  # the server has the lines, or refuses to take the credits back


def _send_parts(
    core: LicenseCore,
    journey: Journey,
    parts: list[tuple[Spent, list[str]]],
    retries: RetryPolicy,
    timeout: float | None,
) -> Flow[bool]:
    """Report parts of a journal; returns whether the lease is still open."""
    key = core.device_key.find()
    if key is None:
        raise lease_refused("LeaseNotFound")
    for spent, lines in parts:
        part = Journey(journey.lease_id, journey.seq, spent)
        body = {"receipt": part.receipt(core, key, "Used"), "journal": lines}
        path = action(journey.lease_id, "report")
        response, _ = yield from call(core, path, body, retries=retries, timeout=timeout)
        if response.get("state") != "Open":
            _forget(core, journey.lease_id)
            return False
        _note_reported(core, optional_int(response.get("settled")) or spent.lines)
    return True


def _note_reported(core: LicenseCore, lines: int) -> None:
    core.credits.kept.update(lambda kept: replace(kept, reported=lines))


def _forget(core: LicenseCore, lease_id: str) -> None:
    """The server has said its last word about these credits."""
    core.credits.kept.update(lambda _: NO_CREDITS)
    core.credits.journal.remove(lease_id)


def _journey_of(receipt: str) -> Journey | None:
    """What a receipt is about; ``None`` if the file that had it is damaged."""
    claims = receipt_claims(receipt)
    lease_id, seq = claims.get("lease"), optional_int(claims.get("seq"))
    if not isinstance(lease_id, str) or seq is None:
        return None
    try:
        return Journey(lease_id, seq, Spent.of_claims(claims))
    except ValueError:
        return None


def _sum(amounts: list[Decimal]) -> Decimal:
    return reduce(EXACT.add, amounts, Decimal(0))

"""The credits that this machine has reserved, as they may be spent now."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from licet._file_check import FileCheck, HeldCredits
from licet._held_lease import holder_of, judge_lease
from licet._jose import RejectedTokenError
from licet._journal import BrokenJournalError
from licet._lease import CreditLease, open_credits
from licet._model import LicenseResult
from licet._status import LicenseValidationStatus

if TYPE_CHECKING:
    from licet._core import LicenseCore

WHAT = "credits are reserved"

_log = logging.getLogger("licet")


def own_credits(core: LicenseCore, token: str, normal_key: str | None) -> CreditLease:
    """Verify credits that are for this license key and this device, whatever the time.

    Raises:
        RejectedTokenError: They cannot be trusted, or are for another one.
    """
    return open_credits(token, core.config.public_keys, holder_of(core, normal_key))


def verified_credits(core: LicenseCore) -> HeldCredits | None:
    """The credits that are kept, whatever the time; ``None`` if they or their journal are not."""
    token = core.credits.kept.read().token
    with contextlib.suppress(RejectedTokenError, BrokenJournalError):
        return None if token is None else _held(core, own_credits(core, token, core.known_key()))
    return None


def usable_credits(core: LicenseCore) -> HeldCredits | None:
    """The credits that are kept, if they may be spent now."""
    return None if core.credits.kept.read().token is None else core.check_file().credits


def ended_credits(core: LicenseCore) -> HeldCredits | None:
    """The credits that are kept, if they are over by the clock that judges all terms."""
    held = verified_credits(core)
    if held is None or judge_lease(core, held.lease, WHAT) is not None:
        return None
    return held


def with_credits_end(core: LicenseCore, result: LicenseResult) -> LicenseResult:
    """The server's result with the end of the credits that this device has reserved."""
    held = usable_credits(core) if result.valid else None
    return result if held is None else replace(result, lease_ends_at=held.lease.ends_at)


def with_credits(core: LicenseCore, check: FileCheck) -> FileCheck:
    """Let reserved credits count where license.bin does not suffice."""
    token = core.credits.kept.read().token
    if token is None:
        return check
    try:
        held = _held(core, own_credits(core, token, core.key_for_request(check)))
    except (RejectedTokenError, BrokenJournalError) as reason:
        _log.warning("the reserved credits are not used: %s", reason)
        return check
    lease = held.lease
    if check.refused_at is not None and lease.terms.issued_at <= check.refused_at:
        return check
    result = judge_lease(core, lease, WHAT)
    if result is None:
        return check
    if not result.valid:
        return check if check.result.source == "file" else replace(check, result=result)
    if check.result.status is LicenseValidationStatus.Valid:
        result = replace(check.result, lease_ends_at=lease.ends_at)
    return replace(check, result=result, credits=held)


def _held(core: LicenseCore, terms: CreditLease) -> HeldCredits:
    """The credits with their journal.

    Raises:
        BrokenJournalError: It is missing, not whole, or not the one that was reported.
    """
    reported = core.credits.kept.read().reported  # first, since both grow meanwhile
    spent = core.credits.journal.read(terms.lease.id)
    if spent.used > terms.amount:
        raise BrokenJournalError("the journal has more than was reserved")
    if spent.lines < reported:
        raise BrokenJournalError("the journal has fewer lines than were reported")
    return HeldCredits(terms, spent, reported)

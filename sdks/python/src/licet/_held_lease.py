"""The lease that this machine keeps, as it may be used now."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from licet._clock import read_clock
from licet._file_check import FileCheck
from licet._jose import RejectedTokenError
from licet._lease import Lease, LeaseHolder, open_lease
from licet._model import LicenseResult
from licet._rules import evaluate_lease, time_of
from licet._state import State, with_anchor, with_clock_reading
from licet._status import LicenseValidationStatus

if TYPE_CHECKING:
    from licet._core import LicenseCore

_log = logging.getLogger("licet")


def own_lease(core: LicenseCore, token: str, normal_key: str | None) -> Lease:
    """Verify a lease that is for this license key and this device, whatever the time.

    Raises:
        RejectedTokenError: It cannot be trusted, or is for another one.
    """
    return open_lease(token, core.config.public_keys, holder_of(core, normal_key))


def holder_of(core: LicenseCore, normal_key: str | None) -> LeaseHolder:
    """Whom a lease of this device has to be for.

    Raises:
        RejectedTokenError: There is no license key, or this device has no key.
    """
    device_key = core.device_key.find()
    if normal_key is None or device_key is None:
        raise RejectedTokenError("this device has no license key or no key of its own")
    return LeaseHolder(core.config.product_id, normal_key, core.hardware_id, device_key.jkt)


def verified_lease(core: LicenseCore) -> Lease | None:
    """The lease that is kept, whatever the time; ``None`` if there is none to be trusted."""
    token = core.leases.read().token
    with contextlib.suppress(RejectedTokenError):
        return None if token is None else own_lease(core, token, core.known_key())
    return None


def usable_lease(core: LicenseCore) -> Lease | None:
    """The lease that is kept, if it may be used now."""
    return None if core.leases.read().token is None else core.check_file().lease


def with_lease_end(core: LicenseCore, result: LicenseResult) -> LicenseResult:
    """The server's result with the end of the seat that this device has borrowed."""
    lease = usable_lease(core) if result.valid else None
    return result if lease is None else replace(result, lease_ends_at=lease.ends_at)


def with_lease(core: LicenseCore, check: FileCheck) -> FileCheck:
    """Let a borrowed seat count where license.bin does not suffice."""
    key, token = core.key_for_request(check), core.leases.read().token
    if token is None:
        return check
    try:
        lease = own_lease(core, token, key)
    except RejectedTokenError as reason:
        _log.warning("the borrowed seat is not used: %s", reason)
        return check
    if check.refused_at is not None and lease.terms.issued_at <= check.refused_at:
        return check
    result = judge_lease(core, lease, "a seat is borrowed")
    if result is None:
        return check
    if not result.valid:
        return check if check.result.source == "file" else replace(check, result=result)
    if check.result.status is LicenseValidationStatus.Valid:
        result = replace(check.result, lease_ends_at=lease.ends_at)
    return replace(check, result=result, lease=lease)


def judge_lease(core: LicenseCore, lease: Lease, what: str) -> LicenseResult | None:
    """The result of a lease of ``what`` now; ``None`` if it has ended."""
    terms, now = lease.terms, read_clock(core.config.clock)

    def update(old: State) -> State:
        at = time_of(terms.license, terms.issued_at, now, old)
        return with_clock_reading(with_anchor(old, terms.issued_at, at), at)

    context = core.file_context(core.store.update(update), terms)
    return evaluate_lease(terms, lease.ends_at, context, what)

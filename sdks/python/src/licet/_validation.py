"""Validation: the file if it is sufficient, else the server, else the file in its grace period."""

from __future__ import annotations

from dataclasses import replace

from licet._clock import format_time, monotonic, read_clock
from licet._core import FileCheck, LicenseCore
from licet._flow import Flow
from licet._model import LicenseResult
from licet._refresh import refresh_is_due, try_refresh
from licet._state import SILENCE, with_silence
from licet._status import LicenseValidationStatus
from licet.errors import LicetError, NetworkError, ServerFaultError, ServerTimeoutError

START_SECONDS = 2.0
"""How long a start waits for the server that could do without it."""
LONG_WAIT_SECONDS = 1.0

Status = LicenseValidationStatus


def validate(core: LicenseCore) -> Flow[LicenseResult]:
    """Use the file if it is sufficient, else the server, else the file in its grace period."""
    local = core.check_file()
    key = core.key_for_request(local)
    if local.is_sufficient or key is None or not core.config.has_server:
        return local.result
    if local.suffices_for_now and (silence := _silence(core)) is not None:
        return _without_server(local, silence)
    asked_at = monotonic()
    timeout = START_SECONDS if local.suffices_for_now else None
    try:
        _, result = yield from core.request_verdict(key, timeout=timeout)
    except (NetworkError, ServerFaultError) as error:
        if local.suffices_for_now and monotonic() - asked_at >= LONG_WAIT_SECONDS:
            _remember_silence(core)
        return _without_server(local, error)
    if result.valid and refresh_is_due(core, local):
        yield from try_refresh(core, key)
    return result


def validate_online(core: LicenseCore) -> Flow[LicenseResult]:
    """Return the server's verdict, or raise the error that prevented it."""
    if core.config.key_fault is not None:
        return core.check_file().result
    _, result = yield from core.request_verdict(core.required_key())
    return result


def _silence(core: LicenseCore) -> ServerTimeoutError | None:
    """The error in place of asking a server that has just let another start wait."""
    config = core.config
    until = core.store.load().silence_of(config.endpoint, read_clock(config.clock))
    if until is None:
        return None
    return ServerTimeoutError(
        f"The license server did not respond at {format_time(until - SILENCE)}, and is "
        f"asked again after {format_time(until)}."
    )


def _remember_silence(core: LicenseCore) -> None:
    now, server = read_clock(core.config.clock), core.config.endpoint
    core.store.update(lambda old: with_silence(old, server, now))


def _without_server(local: FileCheck, error: LicetError) -> LicenseResult:
    """The verdict on the file when the server cannot be asked, with the cause."""
    result = replace(local.result, cause=error)
    if result.status is Status.GracePeriod and result.grace_ends_at is not None:
        ends = format_time(result.grace_ends_at)
        return replace(result, message=f"{error.message} The license stays valid until {ends}.")
    if result.status is Status.OnlineRequired:
        return replace(result, message=f"{error.message} {result.message}")
    if result.source == "none":
        return replace(
            result,
            status=Status.OnlineRequired,
            message=f"{error.message} There is no license file on this machine, so the license "
            "has to be checked with the server.",
        )
    return result

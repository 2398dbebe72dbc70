"""Validation: the file if it is sufficient, else the server, else the file in its grace period."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from licet._borrowing import report_quietly
from licet._clock import format_time, read_clock
from licet._core import NOTHING, LicenseCore
from licet._enrollment import UnknownTokenError, enrolled, ensure_enrolled, with_known_token
from licet._file_check import FileCheck
from licet._flow import Flow, Waiting, Within
from licet._model import LicenseResult
from licet._refresh import refresh_is_due, try_refresh
from licet._reserving import return_quietly
from licet._retries import NO_RETRIES, PATIENT_RETRIES, START_RETRIES
from licet._state import SILENCE, with_silence
from licet._status import LicenseValidationStatus
from licet._timeouts import no_answer_in
from licet.errors import (
    LicetError,
    NetworkError,
    RequestRefusedError,
    ServerFaultError,
    ServerTimeoutError,
)

START_SECONDS = 2.0
"""How long a start waits for the server that could do without it."""
SHORT_START_SECONDS = 4.0
"""How long one waits that needs the server, if it has just been silent."""
LONG_WAIT_SECONDS = 1.0

_log = logging.getLogger("licet")

Status = LicenseValidationStatus


Asks = Mapping[str, object]


def ask_nothing(_core: LicenseCore, _key: str) -> Asks:
    """Ask for the verdict alone."""
    return NOTHING


def validate(
    core: LicenseCore, first: Callable[[LicenseCore, str], Asks] = ask_nothing
) -> Flow[LicenseResult]:
    """Use the file if it is sufficient, else the server, else the file in its grace period.

    A start that can do without the server waits two seconds for it, and lets the request go on in
    the background, so that a slow server is believed, too. A first start, which has no valid
    license.bin, asks for what ``first`` says with the verdict; an older server ignores that.

    Raises:
        RequestRefusedError: This machine has an enrollment key, and was refused a token.
    """
    return _as_enrolled(core, lambda: _validate(core, first))


def validate_patiently(core: LicenseCore) -> Flow[LicenseResult]:
    """Validate where nobody waits: each attempt may take the whole timeout."""
    return _as_enrolled(core, lambda: _validate_patiently(core))


def _as_enrolled(core: LicenseCore, make: Callable[[], Flow[LicenseResult]]) -> Flow[LicenseResult]:
    """Validate, with a token if this machine has an enrollment key and needs the server."""
    try:
        if core.wants_enrollment and core.config.has_server and not core.check_file().is_sufficient:
            yield from ensure_enrolled(core)
        return (yield from with_known_token(core, make))
    except RequestRefusedError:
        raise
    except (NetworkError, ServerFaultError) as error:
        return core.learn(_without_server(core.check_file(), error))


def _validate(core: LicenseCore, first: Callable[[LicenseCore, str], Asks]) -> Flow[LicenseResult]:
    local = core.check_file()
    key = core.key_for_request(local)
    if local.is_sufficient or key is None or not core.config.has_server:
        return core.learn(local.result)
    silence = _silence(core)
    if local.suffices_for_now and silence is not None:
        return core.learn(_without_server(local, silence))
    before, text = core.latest, None
    try:
        if local.suffices_for_now:
            result = yield from _ask_for_now(core, key)
        else:
            asks = NOTHING if local.result.valid else first(core, key)
            text, result = yield from _ask(
                core, key, SHORT_START_SECONDS if silence else None, asks
            )
    except (NetworkError, ServerFaultError) as error:
        # The answer may have come just after the wait for it ended.
        if core.latest is not None and core.latest is not before:
            return core.latest
        return core.learn(_without_server(local, error))
    yield from report_quietly(core)
    yield from return_quietly(core)
    if result.valid and refresh_is_due(core, local):
        yield from try_refresh(core, key, text)
    return core.learn(result)


def _validate_patiently(core: LicenseCore) -> Flow[LicenseResult]:
    local = core.check_file()
    key = core.key_for_request(local)
    if local.is_sufficient or key is None or not core.config.has_server:
        return core.learn(local.result)
    try:
        _, result = yield from core.request_verdict(key, PATIENT_RETRIES)
    except (NetworkError, ServerFaultError) as error:
        return core.learn(_without_server(local, error))
    if result.valid and refresh_is_due(core, local):
        yield from try_refresh(core, key)
    return core.learn(result)


@enrolled
def validate_online(core: LicenseCore) -> Flow[LicenseResult]:
    """Return the server's verdict, or raise the error that prevented it."""
    if core.config.key_fault is not None:
        return core.check_file().result
    _, result = yield from core.request_verdict(core.required_key())
    return core.learn(result)


def learn_reason(core: LicenseCore, error: LicetError) -> Flow[None]:
    """Ask for the signed reason of a refusal, so that an open license shows it."""
    if not isinstance(error, RequestRefusedError) or error.http_status == 0:
        return
    try:
        yield from with_known_token(
            core, lambda: core.request_verdict(core.required_key(), NO_RETRIES)
        )
    except LicetError as failure:
        _log.info("the license was not checked again: %s", failure.message)


def _ask(
    core: LicenseCore, key: str, limit: float | None, asks: Asks
) -> Flow[tuple[object, LicenseResult]]:
    try:
        return (yield from core.request_verdict(key, timeout=limit, asks=asks))
    except ServerTimeoutError:
        # A short wait says nothing new: otherwise a slow server would never get the long one.
        if limit is None:
            _remember_silence(core)
        raise


def _ask_for_now(core: LicenseCore, key: str) -> Flow[LicenseResult]:
    """Ask the server, and wait two seconds for it.

    Raises:
        ServerTimeoutError: It has not responded yet. Its answer is learned when it arrives.
    """
    wait = Waiting()
    try:
        answered = yield Within(_learn(core, key, wait), START_SECONDS, core.running)
    except ServerTimeoutError:
        _remember_silence(core)
        raise
    if answered is not None:
        result: LicenseResult = answered
        return result
    if wait.seconds >= LONG_WAIT_SECONDS:
        _remember_silence(core)
    wait.is_over = True
    raise no_answer_in(START_SECONDS)


def _learn(core: LicenseCore, key: str, wait: Waiting) -> Flow[LicenseResult]:
    """Ask the server. What the start does after an answer is done here if it has gone on."""
    try:
        try:
            _, result = yield from wait.note(core.request_verdict(key, START_RETRIES))
        except UnknownTokenError:
            if not wait.is_over:
                raise
            # The start that would enroll again has gone on.
            return (yield from validate_patiently(core))
    except LicetError as error:
        if wait.is_over:
            _log.info("the license was not checked in the background: %s", error.message)
        raise
    if wait.is_over and result.valid and refresh_is_due(core, core.check_file()):
        yield from try_refresh(core, key)
    return result


def _silence(core: LicenseCore) -> ServerTimeoutError | None:
    """The error in place of asking a server that has just let another start wait."""
    config = core.config
    until = core.store.load().silence_of(config.endpoint, read_clock(config.clock))
    if until is None:
        return None
    return ServerTimeoutError(
        f"The license server did not respond at {format_time(until - SILENCE)}, and is "
        f"asked again after {format_time(until)}.",
        hint="validate_online() asks it at once.",
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

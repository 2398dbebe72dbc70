"""Refreshing license.bin: fetch, verify, evaluate, replace atomically."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta

from licet._api import call
from licet._claims import LicenseFile
from licet._clock import monotonic, read_clock
from licet._clock_guard import ClockState
from licet._core import LicenseCore
from licet._disk import RefusedFileError, write_license
from licet._enrollment import enrolled
from licet._file_check import FileCheck
from licet._flow import Flow
from licet._jose import RejectedTokenError
from licet._keys import key_hash
from licet._model import LicenseResult
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet._rules import Confirmation, assess_file_clock, evaluate_file, time_of
from licet._state import (
    CHECK_INTERVAL,
    State,
    with_anchor,
    with_next_check,
)
from licet._status import MESSAGES, LicenseValidationStatus
from licet.errors import LicenseFileError, LicetError, RequestRefusedError

REFRESH = "/licenses/refresh"
NEW_FILE_AGE = timedelta(minutes=10)
REFRESH_EVERY = timedelta(days=1)
REFRESH_RETRY_SECONDS = 3600.0

Status = LicenseValidationStatus
# A new file with these statuses is kept: the clock or the application version is wrong, not the
# file.
_KEEP_FILE_FOR = frozenset({Status.ReleaseNotAllowed, Status.ClockTampered})

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class _Fetched:
    """The result of a fetched file; the file is ``None`` if it is not trusted."""

    result: LicenseResult
    file: LicenseFile | None = None


@enrolled
def refresh(core: LicenseCore, retries: RetryPolicy = DEFAULT_RETRIES) -> Flow[LicenseResult]:
    """Refresh license.bin on disk, or return the server's signed reason for the refusal."""
    if core.config.key_fault is not None:
        return core.check_file().result
    key = core.required_key()
    if core.store.load().refusal_of(key_hash(key)) is not None:
        # A file may be an old one, so it cannot lift a refusal. A verdict can.
        _, verdict = yield from core.request_verdict(key)
        if not verdict.valid:
            return verdict
    try:
        fetched = yield from _fetch(core, key, retries)
    except RequestRefusedError:
        # The refusal is not signed. The verdict is, and it says more.
        _, result = yield from core.request_verdict(key)
        if result.valid:
            raise
        return result
    if fetched.file is not None and fetched.file.online and fetched.result.valid:
        # Without a signed verdict the file of an Online license has no grace period.
        _, verdict = yield from core.request_verdict(key)
        return fetched.result if verdict.valid else verdict
    return fetched.result


def refresh_is_due(core: LicenseCore, local: FileCheck) -> bool:
    """Whether license.bin is missing, not valid or a day old, and no failed refresh is recent."""
    if monotonic() < core.no_refresh_before:
        return False
    if local.file is None or not local.result.valid:
        return True
    age = read_clock(core.config.clock) - local.file.issued_at
    if local.file.license.test:
        # The file may be one of the future, if the clock of its product was removed.
        age = abs(age + core.store.seen.server_ahead)
    return age >= REFRESH_EVERY


def try_refresh(core: LicenseCore, key: str, text: object = None) -> Flow[None]:
    """Refresh license.bin in one attempt, or with the text that a verdict came with.

    A failure is only logged.
    """
    try:
        if text is None:
            result = (yield from _fetch(core, key, NO_RETRIES)).result
        else:
            result = _take(core, key, text, _current_file(core, key), None).result
        reason = core.unwritten_file or ("" if result.valid else result.message)
    except LicenseFileError as error:
        reason = core.unwritten_file = error.message
        _log.warning("%s", reason)
    except LicetError as error:
        reason = error.message
    if reason:
        core.no_refresh_before = monotonic() + REFRESH_RETRY_SECONDS
        _log.info("license.bin was not refreshed: %s", reason)


def _fetch(core: LicenseCore, key: str, retries: RetryPolicy) -> Flow[_Fetched]:
    current = _current_file(core, key)
    body = {
        "licenseKey": key,
        "hardwareId": core.hardware_id,
        **core.credentials,
        "protected": _is_to_be_protected(core, current),
        **core.sent_components,
    }
    response, request_id = yield from call(core, REFRESH, body, retries=retries)
    return _take(core, key, response.get("file"), current, request_id)


def wants_plain_file(core: LicenseCore, key: str) -> bool:
    """Whether a new license.bin is to be stored in the form that comes with a verdict."""
    return not _is_to_be_protected(core, _current_file(core, key))


def _is_to_be_protected(core: LicenseCore, current: LicenseFile | None) -> bool:
    if core.config.protect_file is not None:
        return core.config.protect_file
    if current is not None:
        return current.protected
    return core.store.seen.protects_file or core.has_sealed_file()


def _take(
    core: LicenseCore,
    key: str,
    given: object,
    current: LicenseFile | None,
    request_id: str | None,
) -> _Fetched:
    """Verify the file of an answer, and put it in the place of the current one."""
    try:
        text, new = _verify_new_file(core, given, key, current)
    except RejectedTokenError as reason:
        message = (
            f"The license file from the server cannot be trusted: {reason}. Check that the "
            "application has the product's current public key and the right server address."
        )
        return _Fetched(replace(core.mismatch(message), request_id=request_id))
    result = replace(_evaluate_new_file(core, new, key), request_id=request_id)
    if result.valid or result.status in _KEEP_FILE_FOR:
        _write_file(core, text, key)
        result = core.with_warnings(result)
    return _Fetched(result, new)


def _verify_new_file(
    core: LicenseCore, text: object, key: str, current: LicenseFile | None
) -> tuple[str, LicenseFile]:
    if not isinstance(text, str):
        raise RejectedTokenError("the response contains no file")
    new = core.open_file(text, key)
    if new.normal_key != key:
        raise RejectedTokenError("it belongs to another license key")
    is_older = current is not None and new.issued_at < current.issued_at
    if is_older and not new.license.test:
        raise RejectedTokenError("it is older than the file on this machine")
    return text, new


def _current_file(core: LicenseCore, key: str) -> LicenseFile | None:
    try:
        text = core.read_file()
        current = core.open_file(text, key) if text is not None else None
    except (RejectedTokenError, LicenseFileError):
        return None
    return current if current is not None and current.normal_key == key else None


def _evaluate_new_file(core: LicenseCore, new: LicenseFile, key: str) -> LicenseResult:
    now, hashed = read_clock(core.config.clock), key_hash(key)

    def update(old: State) -> State:
        at = time_of(new.license, new.issued_at, now, old)
        return with_next_check(with_anchor(old, new.issued_at, at), hashed, now + CHECK_INTERVAL)

    # The file is new, so it is evaluated as if a verdict had confirmed the license; only a verdict
    # is kept as one.
    state = core.store.update(update)
    confirmed = Confirmation(hashed, new.issued_at)
    context = replace(core.file_context(state, new), normal_key=key, confirmed=confirmed)
    result = core.with_warnings(evaluate_file(new, context))
    at = time_of(new.license, new.issued_at, now, state)
    just_issued = abs(at - new.issued_at) <= NEW_FILE_AGE
    if result.status in {Status.GracePeriod, Status.OnlineRequired} and (
        just_issued or assess_file_clock(new, context).state is ClockState.WRONG_TIME_ZONE
    ):
        return replace(result, status=Status.Valid, message=MESSAGES[Status.Valid])
    return result


def _write_file(core: LicenseCore, text: str, key: str) -> None:
    path = core.config.file_of(key)
    try:
        write_license(path, text.encode("ascii"))
    except RefusedFileError as reason:
        if core.unwritten_file is None:
            _log.warning("%s cannot be replaced: %s", path, reason)
        core.unwritten_file = f"{path} cannot be replaced: {reason}. Remove it."
    except OSError as error:
        raise LicenseFileError(
            f"{path} cannot be written: {error.strerror or error}. Check the permissions of "
            "the folder.",
            hint="LicenseFile names another place.",
        ) from error
    else:
        core.unwritten_file = None

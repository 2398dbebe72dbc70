"""The logic shared by both clients, independent of the transport.

Invariant: a result is valid only if the product's private key signed it, either as license.bin or
as a verdict for this very request.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from licet._api import call
from licet._claims import LicenseFile, open_license_file
from licet._clock import format_time, monotonic, read_clock
from licet._clock_guard import ClockState
from licet._config import Config
from licet._disk import read_limited, write_atomically
from licet._flow import Flow
from licet._hardware import HardwareId, find_hardware_id
from licet._jose import MAX_TOKEN_BYTES, RejectedTokenError, is_protected
from licet._keys import key_hash
from licet._model import LicenseResult
from licet._retries import DEFAULT_RETRIES, NO_RETRIES, RetryPolicy
from licet._rules import FileContext, assess_file_clock, evaluate_file, file_key, time_zone_warning
from licet._state import (
    Refusal,
    State,
    StateStore,
    state_path,
    with_anchor,
    with_clock_reading,
    with_contact,
    with_refusal,
)
from licet._status import MESSAGES, LicenseValidationStatus
from licet._verdict import Verdict, VerdictRequest, verdict_result, verify_verdict
from licet.errors import (
    ConfigurationError,
    LicenseFileError,
    LicetError,
    NetworkError,
    RequestRefusedError,
    ServerFaultError,
)

VALIDATE = "/licenses/validate"
REFRESH = "/licenses/refresh"
NEW_FILE_AGE = timedelta(minutes=10)
REFRESH_EVERY = timedelta(days=1)
REFRESH_RETRY_SECONDS = 3600.0

Status = LicenseValidationStatus
# The next request may get another status although the license has not changed.
_TRANSIENT_REFUSALS = frozenset({Status.ReleaseNotAllowed, Status.HardwareIdRequired})
# A new file with these statuses is kept: the clock or the application version is wrong, not the
# file.
_KEEP_FILE_FOR = frozenset({Status.ReleaseNotAllowed, Status.ClockTampered})

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The verdict on license.bin without asking the server."""

    result: LicenseResult
    file: LicenseFile | None

    @property
    def is_sufficient(self) -> bool:
        """Whether the server does not have to be asked."""
        return self.result.valid and self.file is not None and not self.file.online


class LicenseCore:
    """The logic of a client. The client runs its flows over a transport."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._no_refresh_before = 0.0

    @cached_property
    def hardware(self) -> HardwareId:
        """This machine's hardware ID and its source."""
        return find_hardware_id(self.config.product_id, self.config.state_folder)

    @cached_property
    def hardware_id(self) -> str:
        return self.config.hardware_id or self.hardware.value

    @cached_property
    def _store(self) -> StateStore:
        config = self.config
        path = state_path(config.state_folder, config.license_file, config.product_id)
        return StateStore(path, hardware_id=self.hardware_id, product_id=config.product_id)

    # License file.

    def check_file(self) -> FileCheck:
        """Evaluate license.bin without asking the server."""
        config, now = self.config, read_clock(self.config.clock)
        text = self._read_file()
        if text is None:
            return FileCheck(
                LicenseResult(
                    Status.LicenseNotFound,
                    f"The license file {config.license_file} does not exist. Install license.bin, "
                    "or enter a license key and connect to the license server.",
                    checked_at=now,
                ),
                None,
            )
        if is_protected(text) and config.normal_key is None:
            raise ConfigurationError(
                f"{config.license_file} is protected and needs its license key. Pass "
                "license_key=... or set LicenseKey in the settings file."
            )
        try:
            file = self._open(text, config.normal_key)
        except RejectedTokenError as reason:
            message = (
                f"{config.license_file.name} is not a license file for this application: {reason}. "
                "Install the license.bin issued for this product."
            )
            return FileCheck(self._mismatch(message, source_is_file=True), None)
        state = self._store.update(
            lambda old: with_clock_reading(with_anchor(old, file.issued_at, now), now)
        )
        return FileCheck(evaluate_file(file, self._file_context(state)), file)

    def _read_file(self) -> str | None:
        path = self.config.license_file
        try:
            raw = read_limited(path, MAX_TOKEN_BYTES)
        except OSError as error:
            raise LicenseFileError(
                f"{path} cannot be read: {error.strerror or error}. Check its permissions."
            ) from error
        return raw.decode("ascii", "replace") if raw is not None else None

    def _open(self, text: str, normal_key: str | None) -> LicenseFile:
        config = self.config
        return open_license_file(
            text, config.public_key, product_id=config.product_id, normal_key=normal_key
        )

    def _file_context(self, state: State) -> FileContext:
        config = self.config
        return FileContext(
            normal_key=config.normal_key,
            hardware_id=self.hardware_id,
            app_version=config.app_version,
            now=read_clock(config.clock),
            state=state,
            grace=config.grace,
        )

    # Server.

    def validate(self) -> Flow[LicenseResult]:
        """Use the file if it is sufficient, else the server, else the file in its grace period."""
        local = self.check_file()
        key = self._key_for_request(local)
        if local.is_sufficient or key is None or not self.config.has_server:
            return local.result
        try:
            verdict, result = yield from self._request_verdict(key)
        except (NetworkError, ServerFaultError) as error:
            return _without_server(local, error)
        if verdict and result.status is Status.ClockTampered and verdict.clock_off_by_time_zone:
            return self._with_wrong_time_zone(local, verdict, result)
        if result.valid and self._refresh_is_due(local):
            yield from self._try_refresh(key)
        return result

    def validate_online(self) -> Flow[LicenseResult]:
        """Return the server's verdict, or raise the error that prevented it."""
        _, result = yield from self._request_verdict(self.required_key())
        return result

    def refresh(self) -> Flow[LicenseResult]:
        """Refresh license.bin on disk, or return the server's signed reason for the refusal."""
        key = self.required_key()
        try:
            return (yield from self._fetch_file(key, DEFAULT_RETRIES))
        except RequestRefusedError:
            # The refusal is not signed. The verdict is, and it says more.
            _, result = yield from self._request_verdict(key)
            if result.valid:
                raise
            return result

    def _key_for_request(self, local: FileCheck) -> str | None:
        if self.config.normal_key is not None:
            return self.config.normal_key
        return file_key(local.file) if local.file is not None else None

    def known_key(self) -> str | None:
        """The license key that is set or that license.bin contains, in normal form."""
        return self.config.normal_key or self._key_for_request(self.check_file())

    def required_key(self) -> str:
        """The license key to send to the server, in normal form.

        Raises:
            ConfigurationError: No license key is set and license.bin has none.
        """
        key = self.known_key()
        if key is None:
            raise ConfigurationError(
                "LicenseKey is missing, and there is no license.bin to read it from. Pass "
                "license_key=... or set LicenseKey in the settings file."
            )
        return key

    def _request_verdict(self, key: str) -> Flow[tuple[Verdict | None, LicenseResult]]:
        config = self.config
        nonce = secrets.token_urlsafe(24)
        request = VerdictRequest(config.product_id, key, self.hardware_id, nonce)
        body = {
            "licenseKey": key,
            "hardwareId": self.hardware_id,
            "deviceName": config.device_name,
            "appVersion": config.app_version,
            "username": config.username,
            "password": config.password,
            "nonce": nonce,
            "signed": True,
        }
        response, request_id = yield from call(config, VALIDATE, body)
        now = read_clock(config.clock)
        try:
            verdict = verify_verdict(response.get("token"), config.public_key, request, now)
        except RejectedTokenError as reason:
            message = (
                f"The license server's response cannot be trusted: {reason}. Check that the "
                "application has the product's current public key and the right server address."
            )
            return None, replace(self._mismatch(message), request_id=request_id)
        self._remember(verdict, key)
        return verdict, verdict_result(verdict, now=now, request_id=request_id)

    def _remember(self, verdict: Verdict, key: str) -> None:
        hashed, at = key_hash(key), verdict.issued_at
        now = read_clock(self.config.clock)
        # Do not record a clock that the server contradicts.
        observed = now if verdict.clock_offset is None else at.astimezone(now.tzinfo)

        def update(old: State) -> State:
            state = with_anchor(old, at, observed)
            if verdict.status.valid:
                return with_contact(state, hashed, at)
            if verdict.status in _TRANSIENT_REFUSALS:
                return state
            return with_refusal(state, Refusal(verdict.server_status, hashed, at))

        self._store.update(update)

    def _with_wrong_time_zone(
        self, local: FileCheck, verdict: Verdict, result: LicenseResult
    ) -> LicenseResult:
        again = self.check_file() if local.file is not None else local
        if not again.result.valid:
            return result
        off = verdict.clock_offset or timedelta(0)
        return replace(again.result, warning=time_zone_warning(off), request_id=result.request_id)

    # Refreshing.

    def _refresh_is_due(self, local: FileCheck) -> bool:
        if monotonic() < self._no_refresh_before:
            return False
        if local.file is None or not local.result.valid:
            return True
        return read_clock(self.config.clock) - local.file.issued_at >= REFRESH_EVERY

    def _try_refresh(self, key: str) -> Flow[None]:
        try:
            result = yield from self._fetch_file(key, NO_RETRIES)
            reason = "" if result.valid else result.message
        except LicetError as error:
            reason = error.message
        if reason:
            self._no_refresh_before = monotonic() + REFRESH_RETRY_SECONDS
            _log.info("license.bin was not refreshed: %s", reason)

    def _fetch_file(self, key: str, retries: RetryPolicy) -> Flow[LicenseResult]:
        config, current = self.config, self._current_file(key)
        protect = config.protect_file
        if protect is None:
            protect = current is not None and current.protected
        body = {
            "licenseKey": key,
            "hardwareId": self.hardware_id,
            "username": config.username,
            "password": config.password,
            "protected": protect,
        }
        response, request_id = yield from call(config, REFRESH, body, retries=retries)
        try:
            text, new = self._verify_new_file(response.get("file"), key, current)
        except RejectedTokenError as reason:
            message = (
                f"The license file from the server cannot be trusted: {reason}. Check that the "
                "application has the product's current public key and the right server address."
            )
            return replace(self._mismatch(message), request_id=request_id)
        result = replace(self._evaluate_new_file(new, key), request_id=request_id)
        if result.valid or result.status in _KEEP_FILE_FOR:
            self._write_file(text)
        return result

    def _verify_new_file(
        self, text: object, key: str, current: LicenseFile | None
    ) -> tuple[str, LicenseFile]:
        if not isinstance(text, str):
            raise RejectedTokenError("the response contains no file")
        new = self._open(text, key)
        if file_key(new) != key:
            raise RejectedTokenError("it belongs to another license key")
        if current is not None and new.issued_at < current.issued_at:
            raise RejectedTokenError("it is older than the file on this machine")
        return text, new

    def _current_file(self, key: str) -> LicenseFile | None:
        try:
            text = self._read_file()
            current = self._open(text, key) if text is not None else None
        except (RejectedTokenError, LicenseFileError):
            return None
        return current if current is not None and file_key(current) == key else None

    def _evaluate_new_file(self, new: LicenseFile, key: str) -> LicenseResult:
        now = read_clock(self.config.clock)

        def update(old: State) -> State:
            return with_contact(with_anchor(old, new.issued_at, now), key_hash(key), new.issued_at)

        context = self._file_context(self._store.update(update))
        result = evaluate_file(new, replace(context, normal_key=key))
        just_issued = abs(now - new.issued_at) <= NEW_FILE_AGE
        if result.status in {Status.GracePeriod, Status.OnlineRequired} and (
            just_issued or assess_file_clock(new, context).state is ClockState.WRONG_TIME_ZONE
        ):
            return replace(result, status=Status.Valid, message=MESSAGES[Status.Valid])
        return result

    def _write_file(self, text: str) -> None:
        path = self.config.license_file
        try:
            write_atomically(path, text.encode("ascii"))
        except OSError as error:
            raise LicenseFileError(
                f"{path} cannot be written: {error.strerror or error}. Check the permissions of "
                "the folder, or choose another with LicenseFile."
            ) from error

    def _mismatch(self, message: str, *, source_is_file: bool = False) -> LicenseResult:
        return LicenseResult(
            Status.SignatureMismatch,
            message,
            source="file" if source_is_file else "server",
            checked_at=read_clock(self.config.clock),
        )


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

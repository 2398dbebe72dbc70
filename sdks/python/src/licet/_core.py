"""What both clients do, without saying how requests travel.

The invariant: a result is valid only on the word of the product's private key, be it in license.bin
or in a verdict that answers this very question.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from licet._claims import LicenseFile, open_license_file
from licet._clock import monotonic, read_clock, show
from licet._clock_guard import ClockState
from licet._config import Config
from licet._disk import read_limited, write_atomically
from licet._exchange import call
from licet._flow import Flow
from licet._hardware import HardwareId, find_hardware_id
from licet._jose import LARGEST_TOKEN, RejectedTokenError, is_protected
from licet._keys import key_hash
from licet._model import LicenseResult
from licet._retries import ONCE, USUAL, Retries
from licet._rules import Circumstances, file_key, judge_file, read_the_clock, zone_warning
from licet._state import Refusal, State, StateStore, accepted, anchored, refused, seen, state_path
from licet._status import SENTENCES, LicenseValidationStatus
from licet._verdict import Question, Verdict, prove_verdict, verdict_result
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
FRESH = timedelta(minutes=10)
REFRESH_EVERY = timedelta(days=1)
SECONDS_BETWEEN_FAILED_REFRESHES = 3600.0

Status = LicenseValidationStatus
# Of these the next question may get another answer without the license having changed.
_NOT_REMEMBERED = frozenset({Status.ReleaseNotAllowed, Status.HardwareIdRequired})
# A fresh file is kept although the application may not run now: the fault is not the file's.
_WORTH_KEEPING = frozenset({Status.ReleaseNotAllowed, Status.ClockTampered})

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class Look:
    """What license.bin on this machine is worth by itself."""

    result: LicenseResult
    file: LicenseFile | None

    @property
    def suffices(self) -> bool:
        """Whether nobody needs to be asked."""
        return self.result.valid and self.file is not None and not self.file.online


class LicenseCore:
    """The logic of a client; flows are run by the client's transport."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._no_refresh_before = 0.0

    @cached_property
    def hardware(self) -> HardwareId:
        """This machine's hardware id and its source."""
        return find_hardware_id(self.config.product_id, self.config.state_folder)

    @cached_property
    def hardware_id(self) -> str:
        return self.config.hardware_id or self.hardware.value

    @cached_property
    def _store(self) -> StateStore:
        config = self.config
        path = state_path(config.state_folder, config.license_file, config.product_id)
        return StateStore(path, hardware_id=self.hardware_id, product_id=config.product_id)

    # The file.

    def look(self) -> Look:
        """Judge license.bin without asking anybody."""
        config, now = self.config, read_clock(self.config.clock)
        text = self._read_file()
        if text is None:
            return Look(
                LicenseResult(
                    Status.LicenseNotFound,
                    f"There is no license file {config.license_file}. Install license.bin, or "
                    "enter a license key and connect to the license server.",
                    checked_at=now,
                ),
                None,
            )
        if is_protected(text) and config.normal_key is None:
            raise ConfigurationError(
                f"{config.license_file} is protected. Its license key is needed to open it: give "
                "license_key=... or put LicenseKey into the settings."
            )
        try:
            file = self._open(text, config.normal_key)
        except RejectedTokenError as reason:
            message = (
                f"{config.license_file.name} is not a license file for this application: {reason}. "
                "Install the license.bin that was made for this product and version."
            )
            return Look(self._mismatch(message, source_is_file=True), None)
        state = self._store.update(lambda old: seen(anchored(old, file.issued_at, now), now))
        return Look(judge_file(file, self._circumstances(state)), file)

    def _read_file(self) -> str | None:
        path = self.config.license_file
        try:
            raw = read_limited(path, LARGEST_TOKEN)
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

    def _circumstances(self, state: State) -> Circumstances:
        config = self.config
        return Circumstances(
            normal_key=config.normal_key,
            hardware_id=self.hardware_id,
            app_version=config.app_version,
            now=read_clock(config.clock),
            state=state,
            grace=config.grace,
        )

    # The server.

    def validate(self) -> Flow[LicenseResult]:
        """The file where it is enough, else the server, else the file within its grace."""
        known = self.look()
        key = self._key_to_ask(known)
        if known.suffices or key is None or not self.config.can_ask:
            return known.result
        try:
            verdict, result = yield from self._ask(key)
        except (NetworkError, ServerFaultError) as fault:
            return _without_server(known, fault)
        if verdict and result.status is Status.ClockTampered and verdict.clock_off_by_zone:
            return self._with_wrong_zone(known, verdict, result)
        if result.valid and self._file_is_old(known):
            yield from self._refresh_quietly(key)
        return result

    def validate_online(self) -> Flow[LicenseResult]:
        """The server's word, or the fault that kept it away."""
        _, result = yield from self._ask(self.required_key())
        return result

    def refresh(self) -> Flow[LicenseResult]:
        """A fresh license.bin on disk, or the server's signed reason why not."""
        key = self.required_key()
        try:
            return (yield from self._fetch_file(key, USUAL))
        except RequestRefusedError:
            # The refusal is not signed. The verdict is, and it also says more.
            _, result = yield from self._ask(key)
            if result.valid:
                raise
            return result

    def _key_to_ask(self, known: Look) -> str | None:
        if self.config.normal_key is not None:
            return self.config.normal_key
        return file_key(known.file) if known.file is not None else None

    def known_key(self) -> str | None:
        """The license key that is set, or that license.bin names, in its normal form."""
        return self.config.normal_key or self._key_to_ask(self.look())

    def required_key(self) -> str:
        """The license key to ask with, in its normal form.

        Raises:
            ConfigurationError: There is none.
        """
        key = self.known_key()
        if key is None:
            raise ConfigurationError(
                "LicenseKey is missing, and there is no license.bin to take it from."
            )
        return key

    def _ask(self, key: str) -> Flow[tuple[Verdict | None, LicenseResult]]:
        config = self.config
        nonce = secrets.token_urlsafe(24)
        question = Question(config.product_id, key, self.hardware_id, nonce)
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
        answer, request_id = yield from call(config, VALIDATE, body)
        now = read_clock(config.clock)
        try:
            verdict = prove_verdict(answer.get("token"), config.public_key, question, now)
        except RejectedTokenError as reason:
            message = (
                f"The answer of the license server cannot be trusted: {reason}. Check that the "
                "application carries the product's present public key and asks the right server."
            )
            return None, replace(self._mismatch(message), request_id=request_id)
        self._remember(verdict, key)
        return verdict, verdict_result(verdict, now=now, request_id=request_id)

    def _remember(self, verdict: Verdict, key: str) -> None:
        hashed, at = key_hash(key), verdict.issued_at
        now = read_clock(self.config.clock)
        # A clock that the server contradicts is no witness of the time.
        witnessed = now if verdict.clock_off is None else at.astimezone(now.tzinfo)

        def change(old: State) -> State:
            state = anchored(old, at, witnessed)
            if verdict.status.valid:
                return accepted(state, hashed, at)
            if verdict.status in _NOT_REMEMBERED:
                return state
            return refused(state, Refusal(verdict.word, hashed, at))

        self._store.update(change)

    def _with_wrong_zone(
        self, known: Look, verdict: Verdict, result: LicenseResult
    ) -> LicenseResult:
        again = self.look() if known.file is not None else known
        if not again.result.valid:
            return result
        off = verdict.clock_off or timedelta(0)
        return replace(again.result, warning=zone_warning(off), request_id=result.request_id)

    # Refreshing.

    def _file_is_old(self, known: Look) -> bool:
        if monotonic() < self._no_refresh_before:
            return False
        if known.file is None or not known.result.valid:
            return True
        return read_clock(self.config.clock) - known.file.issued_at >= REFRESH_EVERY

    def _refresh_quietly(self, key: str) -> Flow[None]:
        try:
            result = yield from self._fetch_file(key, ONCE)
            reason = "" if result.valid else result.message
        except LicetError as error:
            reason = error.message
        if reason:
            self._no_refresh_before = monotonic() + SECONDS_BETWEEN_FAILED_REFRESHES
            _log.info("license.bin was not refreshed: %s", reason)

    def _fetch_file(self, key: str, retries: Retries) -> Flow[LicenseResult]:
        config, present = self.config, self._present_file(key)
        protect = config.protect_file
        if protect is None:
            protect = present is not None and present.protected
        body = {
            "licenseKey": key,
            "hardwareId": self.hardware_id,
            "username": config.username,
            "password": config.password,
            "protected": protect,
        }
        answer, request_id = yield from call(config, REFRESH, body, retries=retries)
        try:
            text, fresh = self._prove_fresh(answer.get("file"), key, present)
        except RejectedTokenError as reason:
            message = f"The license file that the server sent cannot be trusted: {reason}."
            return replace(self._mismatch(message), request_id=request_id)
        result = replace(self._judge_fresh(fresh, key), request_id=request_id)
        if result.valid or result.status in _WORTH_KEEPING:
            self._write_file(text)
        return result

    def _prove_fresh(
        self, text: object, key: str, present: LicenseFile | None
    ) -> tuple[str, LicenseFile]:
        if not isinstance(text, str):
            raise RejectedTokenError("it holds no file")
        fresh = self._open(text, key)
        if file_key(fresh) != key:
            raise RejectedTokenError("the file belongs to another license key")
        if present is not None and fresh.issued_at < present.issued_at:
            raise RejectedTokenError("the file is older than the one on this machine")
        return text, fresh

    def _present_file(self, key: str) -> LicenseFile | None:
        try:
            text = self._read_file()
            present = self._open(text, key) if text is not None else None
        except (RejectedTokenError, LicenseFileError):
            return None
        return present if present is not None and file_key(present) == key else None

    def _judge_fresh(self, fresh: LicenseFile, key: str) -> LicenseResult:
        now = read_clock(self.config.clock)

        def change(old: State) -> State:
            return accepted(anchored(old, fresh.issued_at, now), key_hash(key), fresh.issued_at)

        around = self._circumstances(self._store.update(change))
        result = judge_file(fresh, replace(around, normal_key=key))
        just_made = abs(now - fresh.issued_at) <= FRESH
        if result.status in {Status.GracePeriod, Status.OnlineRequired} and (
            just_made or read_the_clock(fresh, around).state is ClockState.WRONG_ZONE
        ):
            return replace(result, status=Status.Valid, message=SENTENCES[Status.Valid])
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


def _without_server(known: Look, fault: LicetError) -> LicenseResult:
    """The file's word where the server gave none, with the cause."""
    result = replace(known.result, cause=fault)
    if result.status is Status.GracePeriod and result.grace_ends_at is not None:
        ends = show(result.grace_ends_at)
        return replace(result, message=f"{fault.message} The license stays usable until {ends}.")
    if result.status is Status.OnlineRequired:
        return replace(result, message=f"{fault.message} {result.message}")
    if result.source == "none":
        return replace(
            result,
            status=Status.OnlineRequired,
            message=f"{fault.message} There is no license file on this machine to go by, so the "
            "license has to be checked with the server.",
        )
    return result

"""What the flows of both clients share: this machine, its files, and signed verdicts.

Invariant: a result is valid only if the product's private key signed it, either as license.bin or
as a verdict for this very request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from licet._api import call
from licet._claims import LicenseFile, is_by_request, open_license_file
from licet._clock import read_clock
from licet._config import Config
from licet._credits_file import CreditStore
from licet._device_key import DeviceIdentity, DeviceKeyFile
from licet._disk import RefusedFileError, read_installed, read_license
from licet._enrollment import Enrollment, UnknownTokenError
from licet._error_codes import error_for_result
from licet._file_check import FileCheck
from licet._flow import Flow
from licet._hardware import CI_JOB, HardwareId, find_hardware_id
from licet._held_credits import with_credits, with_credits_end
from licet._held_lease import with_lease, with_lease_end
from licet._jose import MAX_TOKEN_BYTES, RejectedTokenError, is_protected
from licet._kept import KeptVerdict, is_verdict, read_kept, refusal_result
from licet._keys import key_hash, key_label
from licet._lease_file import SUFFIX as LEASE_SUFFIX
from licet._lease_file import LeaseFile
from licet._model import LicenseResult
from licet._offline_answer import completed, is_idle, released_seq
from licet._offline_file import SUFFIX as OFFLINE_SUFFIX
from licet._offline_file import OfflineFile
from licet._refused_file import replace_refused
from licet._retries import DEFAULT_RETRIES, RetryPolicy
from licet._rules import (
    Confirmation,
    FileContext,
    SignedRefusal,
    evaluate_file,
    time_of,
)
from licet._state import (
    CHECK_INTERVAL,
    Answer,
    Effect,
    State,
    StateStore,
    state_path,
    with_anchor,
    with_answer,
    with_clock_reading,
    with_next_check,
    with_server_ahead,
    without_silence,
)
from licet._status import LicenseValidationStatus
from licet._verdict import (
    Verdict,
    VerdictRequest,
    verdict_result,
    verify_verdict,
    with_server_clock,
)
from licet.errors import ConfigurationError, LicenseFileError

VALIDATE = "/licenses/validate"
NOTHING: Mapping[str, object] = MappingProxyType({})

Status = LicenseValidationStatus
# The next request may get another status although the license has not changed.
_TRANSIENT_REFUSALS = frozenset(
    {
        Status.ReleaseNotAllowed,
        Status.HardwareIdRequired,
        Status.DeviceProofRequired,
        Status.TestLicense,
    }
)


class LicenseCore:
    """What every flow of a client needs: this machine, its files and signed verdicts.

    Attributes:
        device_key: The key that proves the requests of this device.
        no_refresh_before: The monotonic time before which a failed refresh is not repeated.
        live_session: Returns the ID of a live session of the client, if it has one.
        unwritten_file: Why license.bin could not be written, if it could not.
        refused_file: Why the license.bin that exists is not used, if it is not.
        running: The requests whose answers are awaited in the background.
        latest: The latest result of the client.
        followers: Called, in any thread, when there is another result.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.device_key = DeviceKeyFile(config.state_folder)
        self.no_refresh_before = 0.0
        self.live_session: Callable[[], str | None] = lambda: None
        self.unwritten_file: str | None = None
        self.refused_file: str | None = None
        self.running: set[Any] = set()
        self.latest: LicenseResult | None = None
        self.followers: set[Callable[[], object]] = set()
        self._license_id: str | None = None
        self._key_hash = None if config.place_key is None else key_hash(config.place_key)
        self._stores: dict[Path, StateStore] = {}
        self._leases: dict[Path, LeaseFile] = {}
        self._credits: dict[Path, CreditStore] = {}
        self._offline: dict[Path, OfflineFile] = {}

    @cached_property
    def hardware(self) -> HardwareId:
        """This machine's hardware ID and its source."""
        config = self.config
        refused = () if config.ci_hardware_id else (CI_JOB,)
        return find_hardware_id(config.product_id, config.state_folder, refused=refused)

    @cached_property
    def hardware_id(self) -> str:
        return self.config.hardware_id or self.hardware.value

    @property
    def identity(self) -> DeviceIdentity:
        """Who this device is for the server; makes its key if it has none."""
        return self.device_key.identity(self.hardware_id)

    @cached_property
    def enrollment(self) -> Enrollment | None:
        """The enrollment of this machine; ``None`` without an enrollment key."""
        config = self.config
        if config.enrollment_key is None:
            return None
        return Enrollment(config.enrollment_key, config.state_folder, self.hardware_id)

    @property
    def wants_enrollment(self) -> bool:
        """Whether this machine has an enrollment key, and still needs a token."""
        return self.enrollment is not None and self.enrollment.token is None

    @property
    def normal_key(self) -> str | None:
        """The license key that is set, or the token of this device, in normal form."""
        if self.enrollment is not None:
            return self.enrollment.token
        return self.config.normal_key

    @property
    def has_key(self) -> bool:
        """Whether the server can be asked without a license.bin to read the key from."""
        return self.normal_key is not None or self.enrollment is not None

    @property
    def credentials(self) -> dict[str, str | None]:
        """The user name and the password, as fields of every request about the license."""
        return {"username": self.config.username, "password": self.config.password}

    @property
    def credential_headers(self) -> dict[str, str]:
        """The user name and the password, as headers of requests without a body."""
        names = {
            "X-License-Username": self.config.username,
            "X-License-Password": self.config.password,
        }
        return {name: value for name, value in names.items() if value is not None}

    @property
    def label(self) -> str:
        """What the names of files have of the license key: the one set, or the last file's."""
        hashed = None if self.config.places.is_named else self._key_hash
        return "" if hashed is None else f"-{key_label(hashed)}"

    @property
    def store(self) -> StateStore:
        """The state of the license key."""
        places, product_id = self.config.places, self.config.product_id
        path = state_path(places, product_id, self.label)
        if path not in self._stores:
            store = StateStore(
                path,
                hardware_id=self.hardware_id,
                product_id=product_id,
                shared=state_path(places, product_id),
            )
            self._stores.setdefault(path, store)
        return self._stores[path]

    # License file.

    def check_file(self) -> FileCheck:
        """Evaluate license.bin without asking the server."""
        check = with_credits(self, with_lease(self, self._check_file()))
        return replace(check, result=self.with_warnings(check.result))

    def validate_offline(self) -> LicenseResult:
        """Evaluate license.bin with the token of this moment."""
        if self.enrollment is not None:
            self.enrollment.load()
        return self.check_file().result

    def with_warnings(self, result: LicenseResult) -> LicenseResult:
        """The result with what the settings file should not say, and what cannot be stored."""
        problems = (self.store.unwritten, self.unwritten_file, self.refused_file)
        unproven = result.status is Status.DeviceProofRequired
        key_problem = self.device_key.problem if unproven else None
        found = (*self.config.warnings, *problems, key_problem)
        added = (item for item in found if item is not None and item not in result.warnings)
        return replace(result, warnings=(*result.warnings, *added))

    def _check_file(self) -> FileCheck:
        config, now = self.config, read_clock(self.config.clock)
        if config.key_fault is not None:
            result = LicenseResult(Status.LicenseNotFound, config.key_fault, checked_at=now)
            return FileCheck(result, None)
        text = self.read_file()
        if text is None:
            missing = f"The license file {config.places.license_file} does not exist."
            return self._no_file(self.refused_file or missing)
        if is_verdict(text):
            return self._check_refusal(text)
        if is_protected(text) and not self.has_key:
            raise ConfigurationError(
                f"{config.license_file} is protected and needs its license key. Pass "
                "license_key=... or set LicenseKey in the settings file."
            )
        try:
            file = self.open_file(text, self.normal_key)
        except RejectedTokenError as reason:
            if is_protected(text) and self.enrollment is not None:
                name = config.license_file.name
                return self._no_file(f"{name} was made for an earlier enrollment.")
            message = (
                f"{config.license_file.name} is not a license file for this application: {reason}. "
                "Install the license.bin issued for this product."
            )
            return FileCheck(self.mismatch(message, source_is_file=True), None)
        self._license_id = file.license.id
        self._is_about(file.normal_key)
        file = completed(self, file)

        def update(old: State) -> State:
            at = time_of(file.license, file.issued_at, now, old)
            return with_clock_reading(with_anchor(old, file.issued_at, at), at)

        state = self.store.update(update)
        return FileCheck(evaluate_file(file, self.file_context(state, file)), file)

    def _no_file(self, reason: str) -> FileCheck:
        message = (
            f"{reason} Install license.bin, or enter a license key and connect to the license "
            "server."
        )
        now = read_clock(self.config.clock)
        return FileCheck(LicenseResult(Status.LicenseNotFound, message, checked_at=now), None)

    def _check_refusal(self, text: str) -> FileCheck:
        """Evaluate a signed refusal in the place of license.bin."""
        config, name = self.config, self.config.license_file.name
        refusal = self.kept_verdict(text)
        if refusal is None or refusal.status.valid:
            message = (
                f"{name} is not a license file for this application and this machine. Install the "
                "license.bin issued for this product."
            )
            return FileCheck(self.mismatch(message, source_is_file=True), None)
        key = self.normal_key
        if key is not None and key_hash(key) != refusal.key_hash:
            return self._no_file(f"{name} belongs to another license key.")
        if config.place_key is None:
            self._key_hash = refusal.key_hash
        state = self.store.load()
        now = time_of(refusal.license, refusal.at, read_clock(config.clock), state)
        result, known = refusal_result(refusal, now), state.refused_key
        fits = known is not None and key_hash(known) == refusal.key_hash
        return FileCheck(result, None, known if fits else None, refusal.at)

    def _is_about(self, key: str | None) -> None:
        """Use the state of the license key that was found, unless one is set."""
        if self.config.place_key is None:
            self._key_hash = None if key is None else key_hash(key)

    def kept_verdict(self, token: str) -> KeptVerdict | None:
        """What a stored verdict says, if the server signed it for this machine."""
        config = self.config
        return read_kept(
            token,
            config.public_keys,
            product_id=config.product_id,
            hardware_id=self.hardware_id,
        )

    def _confirmation(self, state: State, file: LicenseFile) -> Confirmation | None:
        """What the last verdict confirmed, if the server signed it for this machine.

        A token says nothing of the license, so the file of an enrolled device has to name the same.
        """
        kept = self.kept_verdict(state.verdict) if state.verdict is not None else None
        if kept is None or not kept.status.valid:
            return None
        if file.license.key is None and kept.license and kept.license.id != file.license.id:
            return None
        return Confirmation(kept.key_hash, kept.at)

    def _refusal(self, state: State, file: LicenseFile) -> SignedRefusal | None:
        """The last refusal of the file's license key, if the server signed it for this machine."""
        key = file.normal_key
        refusal = state.refusal_of(key_hash(key)) if key is not None else None
        kept = self.kept_verdict(refusal.token) if refusal is not None else None
        if kept is None or kept.status.valid:
            return None
        return SignedRefusal(kept.key_hash, kept.server_status, kept.at)

    def read_file(self) -> str | None:
        """The text of license.bin; ``None`` if it does not exist or is refused.

        Raises:
            LicenseFileError: It cannot be read, and the server cannot be asked instead.
        """
        config, refused = self.config, None
        texts: list[str] = []
        idle: str | None = None
        places = config.places
        for path in places.newest_first(config.place_key):
            own = path != places.installed_file or path == places.license_file
            read = read_license if own else read_installed
            try:
                raw = read(path, MAX_TOKEN_BYTES)
            except RefusedFileError as reason:
                refused = f"The license file {path} is not used: {reason}."
                continue
            except OSError as error:
                problem = f"cannot be read: {error.strerror or error}"
                if not (config.has_server and self.has_key):
                    raise LicenseFileError(f"{path} {problem}. Check its permissions.") from error
                refused = f"The license file {path} {problem}. Check its permissions."
                continue
            if raw is None:
                continue
            texts.append(raw.decode("ascii", "replace"))
            if self._is_of_key(texts[-1]):
                if self._is_idle(texts[-1]):
                    idle = idle or texts[-1]
                    continue
                if path == config.license_file:
                    places.prefer(path)
                self.refused_file = refused
                return texts[-1]
        self.refused_file = refused
        return idle or (texts[0] if texts else None)

    def _is_idle(self, text: str) -> bool:
        """Whether any other file goes first: a base file without its code, or a released one."""
        if not is_by_request(text):
            return False
        try:
            file = self.open_file(text, self.normal_key)
        except RejectedTokenError:
            return False
        self._is_about(file.normal_key)
        return is_idle(self, file)

    def _is_of_key(self, text: str) -> bool:
        """Whether a file is one of the license key that is set; if none is, any is."""
        key = self.normal_key
        if key is None or self.config.places.is_named:
            return True
        if is_verdict(text):
            kept = self.kept_verdict(text)
            return kept is not None and kept.key_hash == key_hash(key)
        try:
            return self.open_file(text, key).normal_key in {None, key}
        except RejectedTokenError:
            return False

    def has_sealed_file(self) -> bool:
        """Whether license.bin is protected with a token that has ended, and cannot be opened."""
        try:
            text = self.read_file() if self.enrollment is not None else None
        except LicenseFileError:
            return False
        return text is not None and is_protected(text)

    def open_file(self, text: str, normal_key: str | None) -> LicenseFile:
        """Verify the text of a license.bin of this product.

        Raises:
            RejectedTokenError: It cannot be trusted.
        """
        config = self.config
        file = open_license_file(
            text, config.public_keys, product_id=config.product_id, normal_key=normal_key
        )
        if file.license.key is None and self.enrollment is not None:
            return replace(file, normal_key=normal_key or self.enrollment.token)
        return file

    def file_context(self, state: State, file: LicenseFile) -> FileContext:
        """What the verdict on a file depends on."""
        config = self.config
        return FileContext(
            normal_key=self.normal_key,
            hardware_id=self.hardware_id,
            app_version=config.app_version,
            app_released_at=config.app_released_at,
            now=read_clock(config.clock),
            state=state,
            grace=config.grace,
            confirmed=self._confirmation(state, file),
            refused=self._refusal(state, file),
            device_key=self.device_key.find() if file.jkt is not None else None,
            test_mode=config.test_mode,
            released_seq=released_seq(self, file),
        )

    @property
    def leases(self) -> LeaseFile:
        """The file in which a borrowed seat of the license key is kept."""
        path = self.store.path.with_suffix(LEASE_SUFFIX)
        if path not in self._leases:
            self._leases.setdefault(path, LeaseFile(path))
        return self._leases[path]

    @property
    def offline(self) -> OfflineFile:
        """The file in which offline requests of the license key are kept."""
        path = self.store.path.with_suffix(OFFLINE_SUFFIX)
        if path not in self._offline:
            self._offline.setdefault(path, OfflineFile(path))
        return self._offline[path]

    @property
    def credits(self) -> CreditStore:
        """The files in which reserved credits of the license key are kept."""
        path = self.store.path
        if path not in self._credits:
            self._credits.setdefault(path, CreditStore(path))
        return self._credits[path]

    # Server.

    def learn(self, result: LicenseResult) -> LicenseResult:
        """Make this the client's latest result, and return it."""
        self.latest = result
        for follower in tuple(self.followers):
            follower()
        return result

    def is_this_license(self, license_id: str) -> bool:
        """Whether a response is about the license; true if its ID is not known yet."""
        return self._license_id in {None, license_id}

    def key_for_request(self, local: FileCheck) -> str | None:
        """The license key to send to the server after this check of the file."""
        if self.normal_key is not None:
            return self.normal_key
        return local.file.normal_key if local.file is not None else local.refused_key

    def known_key(self) -> str | None:
        """The license key that is set or that license.bin contains, in normal form."""
        return self.normal_key or self.key_for_request(self.check_file())

    def required_key(self) -> str:
        """The license key to send to the server, in normal form.

        Raises:
            LicenseRefusedError: What is set cannot be a license key.
            ConfigurationError: No license key is set and license.bin has none.
        """
        if self.config.key_fault is not None:
            raise error_for_result(self.check_file().result)
        key = self.known_key()
        if key is None:
            raise ConfigurationError(
                "LicenseKey is missing, and there is no license.bin to read it from. Pass "
                "license_key=... or set LicenseKey in the settings file."
            )
        return key

    def request_verdict(
        self,
        key: str,
        retries: RetryPolicy = DEFAULT_RETRIES,
        timeout: float | None = None,
        asks: Mapping[str, object] = NOTHING,
    ) -> Flow[tuple[object, LicenseResult]]:
        """Ask the server for a verdict, verify and remember it.

        What else is asked for at once is in ``asks``. Also returns the license.bin of the answer,
        which is still to be verified; ``None`` if there is none.
        """
        config = self.config
        nonce = secrets.token_urlsafe(24)
        request = VerdictRequest(config.product_id, key, self.hardware_id, nonce, config.test_mode)
        body = {
            "licenseKey": key,
            "hardwareId": self.hardware_id,
            "deviceName": config.device_name,
            "appVersion": config.app_version,
            "sessionId": self.live_session(),
            **self.credentials,
            "nonce": nonce,
            "signed": True,
            "deviceKeyLevel": self.device_key.level,
            **asks,
        }
        response, request_id = yield from call(
            self, VALIDATE, body, retries=retries, timeout=timeout
        )
        now = read_clock(config.clock)
        token = response.get("token")
        try:
            verdict = verify_verdict(token, config.public_keys, request, now)
        except RejectedTokenError as reason:
            message = (
                f"The license server's response cannot be trusted: {reason}. Check that the "
                "application has the product's current public key and the right server address."
            )
            return None, replace(self.mismatch(message), request_id=request_id)

        def take() -> LicenseResult:
            self._license_id = verdict.license.id if verdict.license is not None else None
            self._remember(verdict, key, str(token), now)
            at = now + (verdict.server_ahead or timedelta(0))
            result = verdict_result(verdict, now=at, request_id=request_id)
            answer = with_lease_end(self, with_server_clock(verdict, result))
            return self.learn(self.with_warnings(with_credits_end(self, answer)))

        if verdict.status is Status.LicenseNotFound and self._may_enroll_again(key):
            raise UnknownTokenError(key, take)
        return response.get("file"), take()

    def _may_enroll_again(self, key: str) -> bool:
        enrollment = self.enrollment
        if enrollment is None:
            return False
        return not (enrollment.is_again and key == enrollment.token)

    def _remember(self, verdict: Verdict, key: str, token: str, now: datetime) -> None:
        self._is_about(key)
        hashed, ahead = key_hash(key), verdict.server_ahead
        at = now + (ahead or timedelta(0))
        agrees = verdict.clock_offset is None
        answer = Answer(token, hashed, verdict.issued_at, at, _effect(verdict), agrees)

        def update(old: State) -> State:
            state = with_answer(without_silence(old), answer)
            if ahead is not None:
                state = with_server_ahead(state, ahead)
            return with_next_check(state, hashed, now + CHECK_INTERVAL)

        self.store.update(update)
        if answer.effect is Effect.REFUSES and not answer.is_ahead:
            replace_refused(self, verdict, key, token)

    def mismatch(self, message: str, *, source_is_file: bool = False) -> LicenseResult:
        """The result for something that the product's key did not sign for this request."""
        result = LicenseResult(
            Status.SignatureMismatch,
            message,
            source="file" if source_is_file else "server",
            checked_at=read_clock(self.config.clock),
        )
        return self.with_warnings(result)


def _effect(verdict: Verdict) -> Effect:
    if verdict.status.valid:
        return Effect.CONFIRMS
    return Effect.PASSES if verdict.status in _TRANSIENT_REFUSALS else Effect.REFUSES

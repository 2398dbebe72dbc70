"""What the flows of both clients share: this machine, its files, and signed verdicts.

Invariant: a result is valid only if the product's private key signed it, either as license.bin or
as a verdict for this very request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from licet._api import call
from licet._claims import LicenseFile, open_license_file
from licet._clock import read_clock
from licet._config import Config
from licet._disk import read_limited
from licet._flow import Flow
from licet._hardware import HardwareId, find_hardware_id
from licet._jose import MAX_TOKEN_BYTES, RejectedTokenError, is_protected
from licet._keys import key_hash
from licet._model import LicenseResult
from licet._retries import DEFAULT_RETRIES, RetryPolicy
from licet._rules import FileContext, evaluate_file, file_key
from licet._state import (
    CHECK_INTERVAL,
    Refusal,
    State,
    StateStore,
    state_path,
    with_anchor,
    with_clock_reading,
    with_contact,
    with_next_check,
    with_refusal,
)
from licet._status import LicenseValidationStatus
from licet._verdict import Verdict, VerdictRequest, verdict_result, verify_verdict
from licet.errors import ConfigurationError, LicenseFileError

VALIDATE = "/licenses/validate"

Status = LicenseValidationStatus
# The next request may get another status although the license has not changed.
_TRANSIENT_REFUSALS = frozenset({Status.ReleaseNotAllowed, Status.HardwareIdRequired})


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
    """What every flow of a client needs: this machine, its files and signed verdicts.

    Attributes:
        no_refresh_before: The monotonic time before which a failed refresh is not repeated.
        live_session: Returns the ID of a live session of the client, if it has one.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.no_refresh_before = 0.0
        self.live_session: Callable[[], str | None] = lambda: None

    @cached_property
    def hardware(self) -> HardwareId:
        """This machine's hardware ID and its source."""
        return find_hardware_id(self.config.product_id, self.config.state_folder)

    @cached_property
    def hardware_id(self) -> str:
        return self.config.hardware_id or self.hardware.value

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

    @cached_property
    def store(self) -> StateStore:
        config = self.config
        path = state_path(config.state_folder, config.license_file, config.product_id)
        return StateStore(path, hardware_id=self.hardware_id, product_id=config.product_id)

    # License file.

    def check_file(self) -> FileCheck:
        """Evaluate license.bin without asking the server."""
        config, now = self.config, read_clock(self.config.clock)
        text = self.read_file()
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
            file = self.open_file(text, config.normal_key)
        except RejectedTokenError as reason:
            message = (
                f"{config.license_file.name} is not a license file for this application: {reason}. "
                "Install the license.bin issued for this product."
            )
            return FileCheck(self.mismatch(message, source_is_file=True), None)
        state = self.store.update(
            lambda old: with_clock_reading(with_anchor(old, file.issued_at, now), now)
        )
        return FileCheck(evaluate_file(file, self.file_context(state)), file)

    def read_file(self) -> str | None:
        """The text of license.bin; ``None`` if it does not exist.

        Raises:
            LicenseFileError: It cannot be read.
        """
        path = self.config.license_file
        try:
            raw = read_limited(path, MAX_TOKEN_BYTES)
        except OSError as error:
            raise LicenseFileError(
                f"{path} cannot be read: {error.strerror or error}. Check its permissions."
            ) from error
        return raw.decode("ascii", "replace") if raw is not None else None

    def open_file(self, text: str, normal_key: str | None) -> LicenseFile:
        """Verify the text of a license.bin of this product.

        Raises:
            RejectedTokenError: It cannot be trusted.
        """
        config = self.config
        return open_license_file(
            text, config.public_key, product_id=config.product_id, normal_key=normal_key
        )

    def file_context(self, state: State) -> FileContext:
        """What the verdict on a file depends on."""
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

    def key_for_request(self, local: FileCheck) -> str | None:
        """The license key to send to the server after this check of the file."""
        if self.config.normal_key is not None:
            return self.config.normal_key
        return file_key(local.file) if local.file is not None else None

    def known_key(self) -> str | None:
        """The license key that is set or that license.bin contains, in normal form."""
        return self.config.normal_key or self.key_for_request(self.check_file())

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

    def request_verdict(
        self, key: str, retries: RetryPolicy = DEFAULT_RETRIES
    ) -> Flow[tuple[Verdict | None, LicenseResult]]:
        """Ask the server for a verdict, verify and remember it; no verdict if it is not trusted."""
        config = self.config
        nonce = secrets.token_urlsafe(24)
        request = VerdictRequest(config.product_id, key, self.hardware_id, nonce)
        body = {
            "licenseKey": key,
            "hardwareId": self.hardware_id,
            "deviceName": config.device_name,
            "appVersion": config.app_version,
            "sessionId": self.live_session(),
            **self.credentials,
            "nonce": nonce,
            "signed": True,
        }
        response, request_id = yield from call(config, VALIDATE, body, retries=retries)
        now = read_clock(config.clock)
        try:
            verdict = verify_verdict(response.get("token"), config.public_key, request, now)
        except RejectedTokenError as reason:
            message = (
                f"The license server's response cannot be trusted: {reason}. Check that the "
                "application has the product's current public key and the right server address."
            )
            return None, replace(self.mismatch(message), request_id=request_id)
        self._remember(verdict, key)
        return verdict, verdict_result(verdict, now=now, request_id=request_id)

    def _remember(self, verdict: Verdict, key: str) -> None:
        hashed, at = key_hash(key), verdict.issued_at
        now = read_clock(self.config.clock)
        # Do not record a clock that the server contradicts.
        observed = now if verdict.clock_offset is None else at.astimezone(now.tzinfo)

        def update(old: State) -> State:
            state = with_anchor(old, at, observed)
            state = with_next_check(state, hashed, now + CHECK_INTERVAL)
            if verdict.status.valid:
                return with_contact(state, hashed, at)
            if verdict.status in _TRANSIENT_REFUSALS:
                return state
            return with_refusal(state, Refusal(verdict.server_status, hashed, at))

        self.store.update(update)

    def mismatch(self, message: str, *, source_is_file: bool = False) -> LicenseResult:
        """The result for something that the product's key did not sign for this request."""
        return LicenseResult(
            Status.SignatureMismatch,
            message,
            source="file" if source_is_file else "server",
            checked_at=read_clock(self.config.clock),
        )

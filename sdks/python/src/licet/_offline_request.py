"""Activating, refreshing and releasing a device without a network, by files or typed codes.

Each step is written to disk before anything of it leaves this machine. So after a crash at any time
the step is either not begun or can be repeated, with the same request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from licet._claims import LicenseFile
from licet._clock import read_clock
from licet._code_letters import write_code
from licet._core import LicenseCore
from licet._device_key import DeviceKey
from licet._disk import write_license
from licet._file_check import FileCheck
from licet._flow import Flow
from licet._jose import RejectedTokenError, decode_segment, read_object
from licet._keys import MIN_PROTECTION_KEY_LENGTH, key_hash
from licet._lease_calls import PAUSE_SECONDS
from licet._model import LicenseResult
from licet._offline_answer import VERSION, Holder, end_of_code, find_base
from licet._offline_file import KeptOffline, Released, TypedCode, Waiting
from licet._wording import english
from licet.errors import ConfigurationError, LicenseFileError, OfflineCodeError

MAX_REQUEST_BYTES = 2048
NONCE_BYTES = 16
FILE_DOTS = 2
"""No code has a dot, and a file has at least two."""
CODED_SEQ = 1 << 24
"""Below this number a release has a code to type."""

S = TypeVar("S")
P = ParamSpec("P")
OfflineKind = Literal["Activate", "Refresh", "Release"]


@dataclass(frozen=True, slots=True)
class OfflineRequest:
    """A signed request of a device that has no network. Give it to the vendor's offline desk.

    Attributes:
        text: The request. It has no license key in it.
        kind: ``Activate``, ``Refresh`` or ``Release``.
        file_name: A name for its file.
    """

    text: str
    kind: OfflineKind
    file_name: str

    @property
    def file(self) -> bytes:
        """The content of its file."""
        return self.text.encode()

    def qr_text(self, desk_url: str) -> str:
        """Return what a QR code shows, so that a phone opens the desk with this request.

        Args:
            desk_url: The address of the offline desk, such as ``https://licenses.example.com/o``.
        """
        return f"{desk_url}#{self.text}"


@dataclass(frozen=True, slots=True)
class OfflineRelease(OfflineRequest):
    """The proof that this device has given its place up.

    Attributes:
        code: The same to type; ``None`` after more than 16 million requests.
    """

    code: str | None = None


def alone(
    make: Callable[Concatenate[LicenseCore, P], Flow[S]],
) -> Callable[Concatenate[LicenseCore, P], Flow[S]]:
    """Make a flow wait for other copies, so that no two requests have one number."""

    def flow(core: LicenseCore, /, *args: P.args, **kwargs: P.kwargs) -> Flow[S]:
        if core.enrollment is not None or (core.normal_key or "").startswith("dt_"):
            raise ConfigurationError(
                "An enrolled device makes no offline requests. Set the license key instead."
            )
        core.required_key()  # names the files
        turn = core.offline.turn
        handle = yield from turn.wait(core.config.timeout, PAUSE_SECONDS)
        if handle is None:
            raise LicenseFileError(
                "Another copy of the application is at an offline request. Try again."
            )
        try:
            return (yield from make(core, *args, **kwargs))
        finally:
            turn.end(handle)

    return flow


class _Device:
    """What a step finds on this device."""

    def __init__(self, core: LicenseCore) -> None:
        self.core = core
        self.check: FileCheck = core.check_file()
        self.normal_key = core.required_key()
        self.kept: KeptOffline = core.offline.read()

    @cached_property
    def key(self) -> DeviceKey:
        """The key of the device, made now if it has none.

        Raises:
            LicenseFileError: It cannot be kept.
        """
        key = self.core.device_key.get()
        if key is None:
            raise LicenseFileError(self.core.device_key.problem or "")
        return key

    @cached_property
    def holder(self) -> Holder:
        """Whose codes are taken and made here."""
        product_id = self.core.config.product_id
        return Holder(product_id, self.normal_key, self.core.hardware_id, self.key.jkt)

    @cached_property
    def base(self) -> tuple[str, LicenseFile] | None:
        """The base file of the license and its text, if there is one."""
        return find_base(self.core, self.normal_key)

    @property
    def base_id(self) -> str | None:
        """The ID of the base file."""
        return None if self.base is None else self.base[1].token_id

    @property
    def installed(self) -> LicenseFile | None:
        """The file by which this device was activated, unless it was released."""
        file = self.check.file
        if file is None or file.normal_key != self.normal_key or not self._is_own(file):
            return None
        released = self.kept.released
        if file.request is not None and released is not None and file.request.seq <= released.seq:
            return None
        return file

    def _is_own(self, file: LicenseFile) -> bool:
        is_answer = file.request is not None or file.code_key is not None
        is_here = self.core.hardware_id in file.hardware_ids and file.jkt == self.key.jkt
        return is_answer and is_here

    @property
    def next_seq(self) -> int:
        """One more than the number of any request that is known."""
        file, kept = self.check.file, self.kept
        of_file = file.request.seq if file is not None and file.request is not None else 0
        of_release = 0 if kept.released is None else kept.released.seq
        return max(kept.seq, of_file, of_release) + 1

    def sign(self, kind: OfflineKind, file: LicenseFile | None) -> Waiting:
        """Sign a new request."""
        config, seq, nonce = self.core.config, self.next_seq, secrets.token_urlsafe(NONCE_BYTES)
        is_short = len(self.normal_key) < MIN_PROTECTION_KEY_LENGTH
        claims = {
            "aud": config.product_id,
            "kind": kind,
            "licenseKeyHash": None if is_short else key_hash(self.normal_key),
            "hardwareId": self.core.hardware_id,
            "deviceName": config.device_name,
            "appVersion": config.app_version,
            "nonce": nonce,
            "seq": seq,
            "iat": max(0, int(read_clock(config.clock).timestamp())),
            "base": self.base_id,
            "file": None if file is None else file.token_id,
        }
        for unneeded in (None, "deviceName", "appVersion"):
            claims.pop(unneeded or "", None)
            text = self.key.request({k: v for k, v in claims.items() if v is not None})
            if len(text) <= MAX_REQUEST_BYTES:
                break
        return Waiting(text, nonce, seq, kind, self.base_id)

    def is_waiting_for(self, waiting: Waiting) -> bool:
        """Whether a request is still the one that this device makes."""
        file = self.check.file
        answered = file is not None and file.request == (waiting.nonce, waiting.seq)
        if answered or waiting.base != self.base_id:
            return False
        try:
            header, claims = (read_object(decode_segment(p)) for p in waiting.text.split(".")[:2])
        except (RejectedTokenError, ValueError):
            return False
        is_here = claims.get("hardwareId") == self.core.hardware_id
        return is_here and header.get("jwk") == self.key.jwk

    def hand_out(self, waiting: Waiting) -> OfflineRequest:
        kind: Any = waiting.kind
        return OfflineRequest(waiting.text, kind, _file_name(self.core))


@alone
def offline_request(core: LicenseCore, renew: bool) -> Flow[OfflineRequest]:
    """Return the request under way, or begin one."""
    yield from ()
    device = _Device(core)
    waiting = device.kept.waiting
    if waiting is not None and not renew and device.is_waiting_for(waiting):
        return device.hand_out(waiting)
    installed = device.installed if device.check.result.valid else None
    made = device.sign("Activate" if installed is None else "Refresh", installed)
    core.offline.update(lambda kept: replace(kept, seq=made.seq, waiting=made))
    return device.hand_out(made)


@alone
def apply_offline_answer(core: LicenseCore, answer: bytes | str) -> Flow[LicenseResult]:
    """Take a file or a code, and validate with it."""
    yield from ()
    device = _Device(core)
    if isinstance(answer, bytes):
        _install(device, answer.decode("ascii", "replace"))
    elif answer.count(".") >= FILE_DOTS:
        _install(device, answer.strip())
    else:
        _take_code(device, answer)
    return core.learn(core.check_file().result)


@alone
def release_offline(core: LicenseCore) -> Flow[OfflineRelease]:
    """Give up what this device was activated with, or return the proof once more."""
    yield from ()
    device = _Device(core)
    file, released = device.installed, device.kept.released
    if file is not None and file.token_id is not None:
        made = device.sign("Release", file)
        code = None
        if made.seq < CODED_SEQ:
            lines = device.holder.release_lines(file.token_id, made.seq)
            head = bytes([VERSION]) + made.seq.to_bytes(3)
            code = write_code(head + device.key.sign_lines(lines))
        released = Released(made.seq, file.token_id, made.text, code)
        core.offline.update(lambda _: KeptOffline(made.seq, released=released))
        core.learn(core.check_file().result)
    if released is None:
        raise LicenseFileError(
            "There is nothing to release: this device was not activated by an offline request."
        )
    return OfflineRelease(released.text, "Release", _file_name(core), released.code)


def _install(device: _Device, text: str) -> None:
    """Put a file in the place of license.bin, if it answers the request under way."""
    core = device.core
    if device.installed is not None and core.read_file() == text:
        return  # once more
    try:
        file = core.open_file(text, device.normal_key)
        _require_answer(device, file)
    except RejectedTokenError as reason:
        raise LicenseFileError(
            f"This file is no answer to the request of this device: {reason}. Make a new request, "
            "and take its answer."
        ) from reason
    _write(core, text, device.normal_key)
    core.offline.update(lambda kept: replace(kept, waiting=None, code=None))


def _require_answer(device: _Device, file: LicenseFile) -> None:
    waiting = device.kept.waiting
    if file.protected:
        raise RejectedTokenError("it is protected")
    if file.normal_key != device.normal_key:
        raise RejectedTokenError("it belongs to another license key")
    if file.request is None or waiting is None:
        raise RejectedTokenError("there is no request that it answers")
    if file.request != (waiting.nonce, waiting.seq):
        raise RejectedTokenError("it answers another request")
    if device.core.hardware_id not in file.hardware_ids or file.jkt != device.key.jkt:
        raise RejectedTokenError("it is for another device")


def _take_code(device: _Device, text: str) -> None:
    """Keep a code, if it answers the request under way for the base file that is there."""
    core, waiting, base = device.core, device.kept.waiting, device.base
    if base is None:
        raise LicenseFileError(
            "A code needs the base file of this license, and there is none. Install the base file, "
            "or the license.bin that the vendor's offline desk offers.",
        )
    base_text, file = base
    asked = waiting or device.kept.code  # which may be typed once more
    nonce = "" if asked is None else asked.nonce
    day = end_of_code(text, file, nonce, device.holder)
    if day is None or file.token_id is None:
        raise OfflineCodeError(english("OfflineCode"), group=None)
    taken = TypedCode(text.strip(), nonce, file.token_id, day)
    if core.read_file() != base_text:
        _write(core, base_text, device.normal_key)
    core.offline.update(lambda kept: replace(kept, waiting=None, code=taken))


def _write(core: LicenseCore, text: str, normal_key: str) -> None:
    path = core.config.file_of(normal_key)
    try:
        write_license(path, text.encode("ascii"))
    except OSError as error:
        raise LicenseFileError(
            f"{path} cannot be written: {error.strerror or error}. Check the permissions of "
            "the folder.",
            hint="LicenseFile names another place.",
        ) from error


def _file_name(core: LicenseCore) -> str:
    return f"{core.config.product_id}.licetreq"

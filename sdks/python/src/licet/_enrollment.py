"""Enrollment: a machine with an enrollment key gets a token, which is its license key from then on.

The token works on this machine alone. It is kept in the state folder and ends with the seat of the
device. If it is lost or not known any more, the machine enrolls again: it gets its seat back, or
another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from licet._api import call
from licet._clock import monotonic
from licet._disk import read_own, write_own
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow, Pause
from licet._forks import watch_forks
from licet._keys import key_in_file
from licet._licet_error import LicetError
from licet._machine import operating_system
from licet.errors import LicenseRefusedError, RequestRefusedError, UnexpectedReplyError

if TYPE_CHECKING:
    from licet._core import LicenseCore

ENROLL = "/activations/enroll"
ENROLLED = frozenset({200, 201})
MAX_TOKEN_BYTES = 1024
PAUSE_SECONDS = 0.05

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger("licet")


class UnknownTokenError(LicetError):
    """The server has signed that it does not know the token of this device.

    Attributes:
        token: The token.
        remember: Remembers the refusal, for the case that the machine cannot enroll again.
    """

    def __init__(self, token: str, remember: Callable[[], object]) -> None:
        super().__init__("The server does not know the token of this device.")
        self.token, self.remember = token, remember


class Enrollment:
    """The enrollment of this machine: its key, and the token that it got.

    Attributes:
        is_again: Whether the machine has just enrolled again, so that a refusal stands.
        lock: Held while this process enrolls.
    """

    def __init__(self, key: str, folder: Path, hardware_id: str) -> None:
        self.key, self.is_again = key, False
        material = f"licet/enrollment/v1\0{key}\0{hardware_id}".encode()
        self._path = folder / f"device-{hashlib.sha256(material).hexdigest()[:16]}.token"
        self._token: str | None = None
        # It may still be on disk, in a folder that cannot be written to.
        self._ended: str | None = None
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """The parent's lock may be held by a thread that the child does not have."""
        self.lock = threading.Lock()

    @property
    def token(self) -> str | None:
        """The token, in the normal form of license keys; ``None`` if there is none."""
        return self._token or self.load()

    def load(self) -> str | None:
        """Read the token, which another process may have replaced; without a file, keep it."""
        found = self._read()
        if found is not None and found != self._ended:
            self._token = found
        return self._token

    def keep(self, token: str) -> None:
        """Store a new token, so that only this user can read it."""
        self._ended = self._token or self._ended
        self._token = token
        try:
            write_own(self._path, token.encode("ascii"))
        except OSError as error:
            _log.warning(
                "the token of this device cannot be stored in %s (%s): after a restart it enrolls "
                "again",
                self._path.parent,
                error.strerror or error,
            )

    def forget(self) -> None:
        """Delete the token, which has ended."""
        self._ended = self._token or self._ended
        self._token = None
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _read(self) -> str | None:
        try:
            raw = read_own(self._path, MAX_TOKEN_BYTES)
        except OSError as error:
            _log.warning("the token of this device cannot be read: %s", error.strerror or error)
            return None
        return key_in_file(raw.decode("ascii", "replace")) if raw is not None else None


def enroll(core: LicenseCore, enrollment: Enrollment, refused: str | None = None) -> Flow[None]:
    """Get a token in place of a refused one, and keep it: that of another process, or a new one.

    For a new one the machine takes a seat, unless it holds one.

    Raises:
        EnrollmentKeyInvalidError: The enrollment key is not accepted.
        SeatsExhaustedError: All seats are taken.
    """
    lock, ends = enrollment.lock, monotonic() + core.config.timeout
    # Waiting for it would block the threads that the holder may need on an event loop.
    while not (locked := lock.acquire(blocking=False)) and monotonic() < ends:
        yield Pause(PAUSE_SECONDS)
    try:
        if enrollment.load() in {None, refused}:
            enrollment.keep((yield from _request_token(core, enrollment)))
    finally:
        if locked:
            lock.release()


def _request_token(core: LicenseCore, enrollment: Enrollment) -> Flow[str]:
    config = core.config
    body = {
        "enrollmentKey": enrollment.key,
        "hardwareId": core.hardware_id,
        "deviceName": config.device_name,
        "os": operating_system(),
        "appVersion": config.app_version,
        **core.sent_components,
    }
    response, request_id = yield from call(core, ENROLL, body, success=ENROLLED)
    given = response.get("deviceToken")
    token = key_in_file(given) if isinstance(given, str) else None
    if token is None:
        raise UnexpectedReplyError(
            "The response to the enrollment has no token.",
            hint=CHECK_ADDRESS,
            http_status=200,
            request_id=request_id,
        )
    return token


def ensure_enrolled(core: LicenseCore) -> Flow[None]:
    """Enroll this machine if it has an enrollment key and no token."""
    if core.enrollment is not None and core.enrollment.load() is None:
        yield from enroll(core, core.enrollment)


def with_known_token(core: LicenseCore, make: Callable[[], Flow[T]]) -> Flow[T]:
    """Run a flow; if the token of this device is not known, enroll again and run it once more."""
    enrollment = core.enrollment
    if enrollment is None:
        return (yield from make())
    refused, remember = enrollment.load(), None
    try:
        return (yield from make())
    except UnknownTokenError as unknown:
        refused, remember = unknown.token, unknown.remember
    except LicenseRefusedError as refusal:
        if not is_unknown_token(core, refusal):
            raise
    try:
        yield from enroll(core, enrollment, refused)
    except RequestRefusedError:
        if remember is not None:
            remember()
        enrollment.forget()
        raise
    enrollment.is_again = True
    try:
        return (yield from make())
    finally:
        enrollment.is_again = False


def is_unknown_token(core: LicenseCore, refusal: RequestRefusedError) -> bool:
    """Whether a request was refused because the server does not know the token of this device."""
    has_token = core.enrollment is not None and core.enrollment.token is not None
    return has_token and refusal.error_code == "LicenseNotFound" and refusal.http_status == 404


def enrolled(
    make: Callable[Concatenate[LicenseCore, P], Flow[T]],
) -> Callable[Concatenate[LicenseCore, P], Flow[T]]:
    """Make a flow enroll the machine first if it has to, and again if its token is not known."""

    def flow(core: LicenseCore, /, *args: P.args, **kwargs: P.kwargs) -> Flow[T]:
        yield from ensure_enrolled(core)
        return (yield from with_known_token(core, lambda: make(core, *args, **kwargs)))

    return flow

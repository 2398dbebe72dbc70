"""Enrollment: a machine with an enrollment key gets a token, which is its license key from then on.

The token works on this machine alone. It is kept in the state folder and ends with the seat of the
device. If it is lost or not known any more, the machine enrolls again: it gets its seat back, or
another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from licet._api import call
from licet._disk import read_own, write_own
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow
from licet._keys import key_in_file
from licet._licet_error import LicetError
from licet._machine import operating_system
from licet.errors import LicenseRefusedError, RequestRefusedError, UnexpectedReplyError

if TYPE_CHECKING:
    from licet._core import LicenseCore

ENROLL = "/activations/enroll"
ENROLLED = frozenset({200, 201})
MAX_TOKEN_BYTES = 1024

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger("licet")


class UnknownTokenError(LicetError):
    """The server has signed that it does not know the token of this device.

    Attributes:
        remember: Remembers the refusal, for the case that the machine cannot enroll again.
    """

    def __init__(self, remember: Callable[[], object]) -> None:
        super().__init__("The server does not know the token of this device.")
        self.remember = remember


class Enrollment:
    """The enrollment of this machine: its key, and the token that it got.

    Attributes:
        is_again: Whether the machine has just enrolled again, so that a refusal stands.
    """

    def __init__(self, key: str, folder: Path, hardware_id: str) -> None:
        self.key, self.is_again = key, False
        material = f"licet/enrollment/v1\0{key}\0{hardware_id}".encode()
        self._path = folder / f"device-{hashlib.sha256(material).hexdigest()[:16]}.token"
        self._token: str | None = None

    @property
    def token(self) -> str | None:
        """The token, in the normal form of license keys; ``None`` if there is none."""
        if self._token is None:
            self._token = self._read()
        return self._token

    def keep(self, token: str) -> None:
        """Store a new token, so that only this user can read it."""
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


def enroll(core: LicenseCore, enrollment: Enrollment) -> Flow[None]:
    """Enroll this machine, which takes a seat unless it holds one, and keep its token.

    Raises:
        EnrollmentKeyInvalidError: The enrollment key is not accepted.
        SeatsExhaustedError: All seats are taken.
    """
    config = core.config
    body = {
        "enrollmentKey": enrollment.key,
        "hardwareId": core.hardware_id,
        "deviceName": config.device_name,
        "os": operating_system(),
        "appVersion": config.app_version,
    }
    response, request_id = yield from call(config, ENROLL, body, success=ENROLLED)
    given = response.get("deviceToken")
    token = key_in_file(given) if isinstance(given, str) else None
    if token is None:
        raise UnexpectedReplyError(
            "The response to the enrollment has no token.",
            hint=CHECK_ADDRESS,
            http_status=200,
            request_id=request_id,
        )
    enrollment.keep(token)


def ensure_enrolled(core: LicenseCore) -> Flow[None]:
    """Enroll this machine if it has an enrollment key and no token."""
    if core.enrollment is not None and core.enrollment.token is None:
        yield from enroll(core, core.enrollment)


def with_known_token(core: LicenseCore, make: Callable[[], Flow[T]]) -> Flow[T]:
    """Run a flow; if the token of this device is not known, enroll again and run it once more."""
    enrollment = core.enrollment
    if enrollment is None:
        return (yield from make())
    try:
        return (yield from make())
    except (UnknownTokenError, LicenseRefusedError) as refusal:
        if isinstance(refusal, LicenseRefusedError) and not is_unknown_token(core, refusal):
            raise
        unknown = refusal
    try:
        yield from enroll(core, enrollment)
    except RequestRefusedError:
        if isinstance(unknown, UnknownTokenError):
            unknown.remember()
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

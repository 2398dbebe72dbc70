"""The lifecycle of an open session as flows: connect, keep alive, disconnect."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from licet._borrowing import report_quietly, require_none_borrowed
from licet._clock import monotonic
from licet._core import LicenseCore
from licet._enrollment import enrolled
from licet._flow import Effect, Flow, Pause, last_sent
from licet._heartbeat import Call, Heartbeat, Lost, Regained
from licet._held_lease import usable_lease
from licet._instance import Instance, acquire_instance
from licet._lease import Lease
from licet._retries import NO_RETRIES
from licet._session_calls import SessionCalls, SessionGrant
from licet._session_options import SessionOptions
from licet.errors import LicetError, NetworkError, SessionLostError

CLOSE_TIMEOUT_SECONDS = 3.0
DISCONNECT_TIMEOUT_SECONDS = 2.0

_log = logging.getLogger("licet")


@dataclass(frozen=True, slots=True)
class Notify:
    """Call the application's callback for an event."""

    event: Lost | Regained


@dataclass
class SessionState:
    """The state of an open session.

    Attributes:
        closed: The application has closed the session.
        forked: This process is a forked child; the seat belongs to its parent.
        borrowed: The seat is borrowed: it stays taken without this session.
    """

    calls: SessionCalls
    heartbeat: Heartbeat
    instance: Instance
    options: SessionOptions
    closed: bool = False
    forked: bool = False
    borrowed: bool = False

    @property
    def alive(self) -> bool:
        return self.heartbeat.holds(monotonic()) and not self.closed

    def leave_instance(self) -> None:
        """Leave the instance ID to the copy that has taken it, and continue with a new one."""
        _log.warning(
            "another copy of the application has this one's instance ID: connecting with a new one"
        )
        self.instance.renew()
        self.calls = replace(self.calls, instance_id=self.instance.value)

    def abandon(self) -> None:
        """Drop the session without telling the server."""
        self.closed = self.forked = True
        self.instance.release()


class SessionInfo:
    """The properties shared by sync and async sessions."""

    _core: LicenseCore
    _state: SessionState | None = None
    _is_borrowed = False

    @property
    def _lease(self) -> Lease | None:
        return usable_lease(self._core) if self._is_borrowed else None

    @property
    def _grant(self) -> SessionGrant | None:
        return self._state.heartbeat.grant if self._state is not None else None

    @property
    def id(self) -> str:
        """The session's ID; empty before the session is opened. Reconnecting changes it."""
        if self._is_borrowed:
            return self._core.leases.read().session_id or ""
        return self._grant.session_id if self._grant is not None else ""

    @property
    def alive(self) -> bool:
        """Whether the session holds its seat, as far as the client knows."""
        if self._is_borrowed:
            return self._lease is not None
        return self._state is not None and self._state.alive

    @property
    def expires_at(self) -> datetime | None:
        """When the seat expires without another heartbeat, by the server's clock."""
        if self._is_borrowed:
            lease = self._lease
            return None if lease is None else lease.ends_at
        return self._grant.expires_at if self._grant is not None else None

    @property
    def seats_used(self) -> int | None:
        """Seats in use when the session connected; ``None`` if they are not counted."""
        return self._grant.seats_used if self._grant is not None else None

    @property
    def seats_total(self) -> int | None:
        """The license's seat cap; ``None`` if there is none."""
        return self._grant.seats_total if self._grant is not None else None

    def _lent(self) -> tuple[str, str]:
        """The session and the instance whose seat is borrowed.

        Raises:
            SessionLostError: The session is not open.
            LeaseRefusedError: This device has borrowed a seat already.
        """
        if self._is_borrowed:
            require_none_borrowed(self._core)
        if self._state is None or not self._state.alive:
            raise SessionLostError("The session is not open.", http_status=0)
        return self.id, self._state.calls.instance_id

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alive={self.alive})"


@enrolled
def open_session(core: LicenseCore, options: SessionOptions) -> Flow[SessionState | None]:
    """Acquire an instance ID, and claim a seat; ``None`` if this device has borrowed one."""
    if usable_lease(core) is not None:
        return None
    yield from report_quietly(core)
    calls, instance = _prepare(core, options)
    try:
        grant, sent = yield from last_sent(calls.connect())
        heartbeat = Heartbeat(grant, sent=sent, jitter=_jitter())
    except BaseException:
        instance.release()
        raise
    return SessionState(calls, heartbeat, instance, options)


def _prepare(core: LicenseCore, options: SessionOptions) -> tuple[SessionCalls, Instance]:
    config, key = core.config, core.required_key()
    instance = (
        Instance(options.instance_id)
        if options.instance_id is not None
        else acquire_instance(config.state_folder, label=core.label)
    )
    known = core.sent_components
    return SessionCalls(core, key, core.hardware_id, instance.value, known), instance


def keep_alive(state: SessionState) -> Generator[Effect | Notify, Any, None]:
    """Keep the seat, or try to regain it, forever."""
    heartbeat = state.heartbeat
    while True:
        yield Pause(max(0.0, heartbeat.due - monotonic()))
        event = heartbeat.check_expiry(monotonic())
        if event is not None:
            yield Notify(event)
            continue
        sent = monotonic()
        outcome = yield from _send(
            state, heartbeat.call_timeout(sent, state.calls.caller.config.timeout)
        )
        event = heartbeat.record(outcome, sent=sent, now=monotonic(), jitter=_jitter())
        if outcome is heartbeat.taken:
            state.leave_instance()
        if event is not None:
            yield Notify(event)


def _send(state: SessionState, call_timeout: float) -> Flow[SessionGrant | LicetError]:
    heartbeat, calls = state.heartbeat, state.calls
    try:
        if heartbeat.call is Call.CONNECT:
            return (yield from calls.connect(retries=NO_RETRIES, timeout=call_timeout))
        return (yield from calls.heartbeat(heartbeat.grant, timeout=call_timeout))
    except LicetError as error:
        _log.info("the session's %s failed: %s", heartbeat.call.value, error.message)
        return error


def disconnect_session(state: SessionState) -> Flow[None]:
    """Release the seat. A failure is only logged: the seat is also released when it times out."""
    if state.borrowed:
        return
    if state.heartbeat.needs_disconnect:
        try:
            yield from state.calls.disconnect(
                state.heartbeat.grant.session_id, timeout=DISCONNECT_TIMEOUT_SECONDS
            )
        except LicetError as error:
            _log.warning("the session was not disconnected: %s", error.message)
    yield from state.options.cleanup()


def log_line(event: Lost | Regained) -> str:
    """The log message for an event."""
    return f"session lost: {event.error.message}" if isinstance(event, Lost) else "session regained"


def as_licet_error(error: Exception) -> LicetError:
    """Convert any exception of a transport to a ``LicetError``."""
    if isinstance(error, LicetError):
        return error
    return NetworkError(f"The request could not be sent ({type(error).__name__}).")


def _jitter() -> float:
    return secrets.randbelow(1001) / 1000

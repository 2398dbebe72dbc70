"""Sessions and access attempts from the vendor's side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from licet.testing._rules import is_live
from licet.testing._state import EntryPoint, Session, State


@dataclass(frozen=True, slots=True)
class FakeAccessAttempt:
    """The access attempts of a device on a node-locked license bound to another device.

    Attributes:
        hardware_id: The device that was denied.
        bound_hardware_id: The device that the license is bound to.
        entry_point: The kind of the latest attempt.
        count: The number of attempts.
    """

    hardware_id: str
    bound_hardware_id: str
    entry_point: EntryPoint
    count: int
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class FakeSession:
    """A session of an application."""

    _state: State
    _session: Session

    @property
    def id(self) -> str:
        return self._session.id

    @property
    def hardware_id(self) -> str:
        """The hardware ID sent by the application."""
        return self._session.hardware_id

    @property
    def instance_id(self) -> str | None:
        """The instance ID sent by the application, if any."""
        return self._session.instance_id

    @property
    def expires_at(self) -> datetime:
        """When the session ends without another heartbeat."""
        return self._session.expires_at

    @property
    def live(self) -> bool:
        """Whether the session is live."""
        return is_live(self._session, self._state.now)

    def disconnect(self) -> None:
        """End the session as an operator; the application finds out at its next heartbeat."""
        self._session.ended = True

    def __repr__(self) -> str:
        return f"FakeSession(id={self.id!r}, live={self.live})"

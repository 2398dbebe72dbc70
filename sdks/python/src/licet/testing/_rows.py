"""Sessions, borrowed seats and access attempts from the vendor's side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from licet.testing._holds import end_by_force, settle_overdue
from licet.testing._rules import is_live
from licet.testing._state import EntryPoint, Lease, LeaseState, Session, State


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
class FakeLease:
    """A borrowed seat, or reserved credits."""

    _state: State
    _lease: Lease

    @property
    def id(self) -> str:
        return self._lease.id

    @property
    def state(self) -> LeaseState:
        """``Open``, ``Returned``, ``Ended`` or ``Forked``."""
        return self._lease.state(self._state.now)

    @property
    def seq(self) -> int:
        """Which token of the lease is the newest."""
        return self._lease.seq

    @property
    def ends_at(self) -> datetime:
        """Until when the device may use the seat or the credits without the server."""
        return self._lease.ends_at

    @property
    def amount(self) -> Decimal | None:
        """How many credits were reserved; ``None`` for a seat."""
        return None if self._lease.hold is None else self._lease.hold.amount

    @property
    def held(self) -> Decimal | None:
        """How many of them are still set aside; ``None`` for a seat."""
        with self._state.lock:
            settle_overdue(self._lease.license, self._state.now)
        return None if self._lease.hold is None else self._lease.hold.left

    @property
    def settled_lines(self) -> int | None:
        """How many charges the device has reported; ``None`` for a seat."""
        return None if self._lease.hold is None else self._lease.hold.settled

    @property
    def hardware_id(self) -> str:
        """The hardware ID of the device that has it."""
        return self._lease.hardware_id

    def recall(self, *, force: bool = False) -> None:
        """Let the lease be renewed no more; with ``force`` seat or credits are free at once.

        The device goes on using them until their end either way.
        """
        with self._state.lock:
            self._lease.recalled = True
            if force:
                end_by_force(self._lease, self._state.now)

    def acknowledge(self) -> None:
        """Let the device of a forked lease borrow or reserve again."""
        self._lease.acknowledged = True

    def __repr__(self) -> str:
        return f"FakeLease(id={self.id!r}, state={self.state!r})"


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
        """End the session as an operator; the application finds out at its next heartbeat.

        Does nothing to one whose seat is borrowed: recall that.
        """
        self._session.end()

    def __repr__(self) -> str:
        return f"FakeSession(id={self.id!r}, live={self.live})"

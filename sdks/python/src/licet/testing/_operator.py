"""What the vendor does with a license in his dashboard, as a test does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from licet._keys import mask
from licet.testing._devices import assign_seat, block_device, register_device, remove_device
from licet.testing._problems import Refused
from licet.testing._rules import (
    CAPPED,
    bound_device,
    is_blocked,
    is_live,
    license_status,
    live_sessions,
)
from licet.testing._state import (
    Device,
    DeviceStatus,
    EntryPoint,
    LedgerEntry,
    License,
    Session,
    State,
    Wallet,
)
from licet.testing._validation import make_license_file
from licet.testing._wallet import Amount, check_bounds, exact_amount, positive_amount, record_entry


@dataclass(frozen=True, slots=True)
class FakeAccessAttempt:
    """A machine that asked for a node-locked license which is bound to another one.

    Attributes:
        hardware_id: Of the machine that was turned away.
        bound_hardware_id: Of the machine that has the license.
        entry_point: How it asked the last time.
        count: How often it asked.
    """

    hardware_id: str
    bound_hardware_id: str
    entry_point: EntryPoint
    count: int
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class FakeDevice:
    """One machine of a license."""

    _state: State
    _license: License
    _device: Device

    @property
    def id(self) -> str:
        """The id of the activation."""
        return self._device.id

    @property
    def hardware_id(self) -> str:
        """As the application sent it."""
        return self._device.hardware_id

    @property
    def name(self) -> str | None:
        """The device name that the application sent, if any."""
        return self._device.name

    @property
    def status(self) -> DeviceStatus:
        """Active, Pending or Blocked."""
        return self._device.status

    def approve(self) -> None:
        """Let a machine in that waits for it; one that is in stays in.

        Raises:
            ValueError: It is blocked, or the license is bound to another machine.
        """
        with self._state.lock:
            _check_admissible(self._license, self.hardware_id)
            assign_seat(self._device, self._state.now)

    def block(self) -> None:
        """Shut the machine out and end its sessions. It keeps its seat."""
        with self._state.lock:
            block_device(self._license, self._device, self._state.now)

    def unblock(self) -> None:
        """Take the block back."""
        self._device.blocked = False

    def deactivate(self) -> None:
        """Remove the machine, free its seat and end its sessions."""
        with self._state.lock:
            remove_device(self._license, self.hardware_id)

    def __repr__(self) -> str:
        return f"FakeDevice(hardware_id={mask(self.hardware_id)!r}, status={self.status!r})"


@dataclass(frozen=True, slots=True, repr=False)
class FakeSession:
    """One connection of an application."""

    _state: State
    _session: Session

    @property
    def id(self) -> str:
        return self._session.id

    @property
    def hardware_id(self) -> str:
        """As the application sent it."""
        return self._session.hardware_id

    @property
    def instance_id(self) -> str | None:
        """As the application sent it, if it did."""
        return self._session.instance_id

    @property
    def expires_at(self) -> datetime:
        """When it ends unless a heartbeat comes."""
        return self._session.expires_at

    @property
    def live(self) -> bool:
        """Whether it holds its seat now."""
        return is_live(self._session, self._state.now)

    def disconnect(self) -> None:
        """End it, as an operator does; the application learns of it at its next heartbeat."""
        self._session.ended = True

    def __repr__(self) -> str:
        return f"FakeSession(id={self.id!r}, live={self.live})"


@dataclass(slots=True, eq=False, repr=False)
class FakeLicense:
    """A license of the fake server, seen from the vendor's side."""

    _state: State
    _license: License

    @property
    def id(self) -> str:
        return self._license.id

    @property
    def key(self) -> str:
        """The license key that the customer gets."""
        return self._license.key

    @property
    def type(self) -> str:
        """The model, such as ``Floating``."""
        return self._license.type

    @property
    def status(self) -> str:
        """Active, Expired, Revoked or Suspended, now."""
        return license_status(self._license, self._state.now)

    @property
    def expiration_date(self) -> datetime | None:
        """The end of the term; ``None`` means no end."""
        return self._license.expiration_date

    @property
    def seats(self) -> int | None:
        """How many sessions (Floating) or devices (Concurrent) there may be.

        It may be set, also to less than are in use: then nobody is sent away, and nobody new is
        let in.

        Raises:
            ValueError: The model has no seats, or the number is below 1.
        """
        return self._license.seats

    @seats.setter
    def seats(self, seats: int) -> None:
        if self.type not in CAPPED or seats < 1:
            raise ValueError("seats: 1 or more, for Floating and Concurrent only")
        self._license.seats = seats

    @property
    def devices(self) -> list[FakeDevice]:
        """The machines that the server knows, in the order in which they came."""
        with self._state.lock:
            devices = list(self._license.devices.values())
        return [FakeDevice(self._state, self._license, device) for device in devices]

    @property
    def sessions(self) -> list[FakeSession]:
        """The sessions that are live now, oldest first."""
        with self._state.lock:
            sessions = live_sessions(self._license, self._state.now)
        return [FakeSession(self._state, session) for session in sessions]

    @property
    def access_attempts(self) -> Sequence[FakeAccessAttempt]:
        """The machines that were turned away because the license is bound to another."""
        with self._state.lock:
            attempts = list(self._license.attempts.values())
        return [
            FakeAccessAttempt(
                hardware_id=attempt.hardware_id,
                bound_hardware_id=attempt.bound_hardware_id,
                entry_point=attempt.entry_point,
                count=attempt.count,
                first_seen_at=attempt.first_seen_at,
                last_seen_at=attempt.last_seen_at,
            )
            for attempt in attempts
        ]

    @property
    def balance(self) -> Decimal:
        """What is left on the meter.

        Raises:
            ValueError: The license is not metered; so say all that have to do with the meter.
        """
        return self._wallet.balance

    @property
    def ledger(self) -> Sequence[LedgerEntry]:
        """What moved the balance, newest first. Charges that were refused are not in it."""
        with self._state.lock:
            return tuple(reversed(self._wallet.ledger))

    def grant(
        self, amount: Amount, *, reason: str | None = None, external_reference: str | None = None
    ) -> None:
        """Add to the balance.

        Raises:
            ValueError: The amount is not more than 0 or not exact, or the balance would be beyond
                what a meter holds.
        """
        with self._state.lock:
            wallet = self._wallet
            granted = positive_amount(amount, wallet.mode)
            check_bounds(wallet, granted)
            details = {"reason": reason, "external_reference": external_reference}
            record_entry(wallet, "AdminGrant", granted, self._state.now, **details)

    def adjust(self, amount: Amount, reason: str) -> None:
        """Correct the balance, up or down.

        Raises:
            ValueError: The amount is 0 or not exact, or the balance would be below 0 or beyond
                what a meter holds.
        """
        with self._state.lock:
            wallet = self._wallet
            correction = exact_amount(amount, wallet.mode)
            if not correction:
                raise ValueError("the amount is not 0")
            check_bounds(wallet, correction)
            record_entry(wallet, "Adjust", correction, self._state.now, reason=reason)

    def revoke(self) -> None:
        """Withdraw the license for good."""
        self._license.revoked = True

    def suspend(self) -> None:
        """Withdraw the license for now.

        Raises:
            ValueError: It is revoked.
        """
        self._refuse_if_revoked()
        self._license.suspended = True

    def reinstate(self) -> None:
        """Take a suspension back.

        Raises:
            ValueError: The license is revoked, which is final.
        """
        self._refuse_if_revoked()
        self._license.suspended = False

    def renew(self, until: datetime | timedelta) -> None:
        """Move the end of the term.

        Args:
            until: A moment with a time zone, or a span from now on.
        """
        self._license.expiration_date = resolve_time(until, self._state.now)

    def file(self, hardware_id: str | None = None, *, protected: bool = False) -> str:
        """The text of a fresh license.bin, to be copied to a machine without a connection.

        Args:
            hardware_id: The machine that the file is for. A node-locked license is bound to it, if
                it is bound to none. By default the file is for the machine that the license is
                bound to, or names none.
            protected: Encrypt it with a key that the license key gives.

        Raises:
            ValueError: The license is not active, its key is too short to protect a file, or the
                machine is blocked or not the one that the license is bound to.
        """
        with self._state.lock:
            if self.status != "Active":
                raise ValueError(f"the license is {self.status}, so there is no file of it")
            now = self._state.now
            if self.type == "NodeLocked":
                hardware_id = self._bind(hardware_id, now)
            try:
                return make_license_file(
                    self._state, self._license, hardware_id, protected=protected, now=now
                )
            except Refused as refused:
                raise ValueError(refused.detail) from refused

    def _bind(self, hardware_id: str | None, now: datetime) -> str | None:
        bound = bound_device(self._license)
        if hardware_id is None:
            return None if bound is None else bound.hardware_id
        _check_admissible(self._license, hardware_id)
        return register_device(
            self._license, {"hardwareId": hardware_id}, now, seat=True
        ).hardware_id

    def __repr__(self) -> str:
        return f"FakeLicense(type={self.type!r}, status={self.status!r})"

    @property
    def _wallet(self) -> Wallet:
        if self._license.wallet is None:
            raise ValueError(f"a {self.type} license has no meter")
        return self._license.wallet

    def _refuse_if_revoked(self) -> None:
        if self._license.revoked:
            raise ValueError("the license is revoked, which is final")


def _check_admissible(license_: License, hardware_id: str) -> None:
    if is_blocked(license_, hardware_id):
        raise ValueError("the device is blocked; unblock it first")
    bound = bound_device(license_) if license_.type == "NodeLocked" else None
    if bound is not None and bound.hardware_id != hardware_id:
        raise ValueError("the license is bound to another machine; deactivate that first")


def resolve_time(until: datetime | timedelta, now: datetime) -> datetime:
    """A moment in UTC, given as one or as a span from now.

    Raises:
        ValueError: It carries no time zone.
    """
    if isinstance(until, timedelta):
        return now + until
    if until.tzinfo is None:
        raise ValueError("give the moment with its time zone")
    return until.astimezone(UTC)

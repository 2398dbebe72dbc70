"""A license from the vendor's side: what an operator does in the dashboard."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from secrets import token_hex
from typing import Any

from licet._keys import mask
from licet._license_models import Model
from licet.testing._coverage import is_unpaid
from licet.testing._devices import (
    assign_seat,
    block_device,
    delete_device,
    register_device,
    remove_device,
)
from licet.testing._holds import settle_overdue
from licet.testing._offline import (
    answer_view,
    base_file,
    decide,
    reject,
    release_by_code,
)
from licet.testing._offline_tokens import read_request
from licet.testing._problems import Refused
from licet.testing._rows import FakeAccessAttempt, FakeLease, FakeSession
from licet.testing._rules import (
    activation_refusal,
    bound_device,
    is_blocked,
    license_status,
    live_sessions,
)
from licet.testing._state import (
    Device,
    DeviceStatus,
    EnrollmentKey,
    LedgerEntry,
    License,
    OfflineState,
    State,
    Wallet,
)
from licet.testing._validation import make_license_file
from licet.testing._wallet import Amount, check_bounds, exact_amount, positive_amount, record_entry


@dataclass(frozen=True, slots=True, repr=False)
class FakeDevice:
    """A device of a license."""

    _state: State
    _license: License
    _device: Device

    @property
    def id(self) -> str:
        """The ID of the activation."""
        return self._device.id

    @property
    def hardware_id(self) -> str:
        """The hardware ID sent by the application."""
        return self._device.hardware_id

    @property
    def name(self) -> str | None:
        """The device name sent by the application, if any."""
        return self._device.name

    @property
    def status(self) -> DeviceStatus:
        """Active, Pending or Blocked."""
        return self._device.status

    def approve(self) -> None:
        """Approve a pending device. Does nothing if it is active.

        Raises:
            ValueError: The device is blocked, or the license is bound to another device.
        """
        with self._state.lock:
            _check_admissible(self._license, self.hardware_id)
            assign_seat(self._device, self._state.now)

    def block(self) -> None:
        """Block the device and end its sessions. It keeps its seat."""
        with self._state.lock:
            block_device(self._license, self._device, self._state.now)

    def unblock(self) -> None:
        """Unblock the device."""
        self._device.blocked = False

    @property
    def seat_free_at(self) -> datetime | None:
        """When a removed device gives its seat up: at the end of its license file."""
        return self._device.file_ends_at if self._device.released else None

    def deactivate(self, *, force: bool = False) -> None:
        """Remove the device, release its seat and end its sessions.

        The seat of a device with a license.bin of a Concurrent license for offline use is free when
        that file has ended, or at once with ``force``.
        """
        with self._state.lock:
            if force:
                delete_device(self._license, self._device)
            else:
                remove_device(self._license, self._device, self._state.now)

    def __repr__(self) -> str:
        return f"FakeDevice(hardware_id={mask(self.hardware_id)!r}, status={self.status!r})"


@dataclass(frozen=True, slots=True)
class FakeOfflineAnswer:
    """What a device without a network is given.

    Attributes:
        state: ``Answered``, or ``Released`` for a release.
        file: The content of license.bin.
        code: The code to type, if the device has the base file.
    """

    state: OfflineState
    file: bytes | None = field(repr=False)
    code: str | None = field(repr=False)


@dataclass(slots=True, eq=False, repr=False)
class FakeLicense:
    """A license of the fake server, from the vendor's side."""

    _state: State
    _license: License

    @property
    def id(self) -> str:
        return self._license.id

    @property
    def key(self) -> str:
        """The license key."""
        return self._license.key

    @property
    def type(self) -> Model:
        """The license model, such as ``Floating``."""
        return self._license.type

    @property
    def status(self) -> str:
        """The current status: Active, Expired, Revoked or Suspended."""
        return license_status(self._license, self._state.now)

    @property
    def expiration_date(self) -> datetime | None:
        """The end of the term; ``None`` if the license does not expire."""
        return self._license.expiration_date

    @property
    def seats(self) -> int | None:
        """The seat cap: of sessions (Floating) or devices (Concurrent).

        It can be set below the number of seats in use; then all seats are kept and no new one is
        granted.

        Raises:
            ValueError: The model has no seat cap, or the number is below 1.
        """
        return self._license.seats

    @seats.setter
    def seats(self, seats: int) -> None:
        if not self._license.traits.capped or seats < 1:
            raise ValueError(
                "seats must be 1 or more, and can only be set for a model with a seat cap"
            )
        self._license.seats = seats

    @property
    def devices(self) -> list[FakeDevice]:
        """The devices of the license, in the order in which they were registered."""
        with self._state.lock:
            self._license.drop_lapsed(self._state.now)
            devices = list(self._license.devices.values())
        return [FakeDevice(self._state, self._license, device) for device in devices]

    @property
    def sessions(self) -> list[FakeSession]:
        """The live sessions, oldest first."""
        with self._state.lock:
            sessions = live_sessions(self._license, self._state.now)
        return [FakeSession(self._state, session) for session in sessions]

    @property
    def leases(self) -> list[FakeLease]:
        """The borrowed seats and reserved credits, those that are over included, oldest first."""
        with self._state.lock:
            leases = list(self._license.leases)
        return [FakeLease(self._state, lease) for lease in leases]

    @property
    def access_attempts(self) -> Sequence[FakeAccessAttempt]:
        """The access attempts of devices that the license is not bound to."""
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
        """The balance of the wallet.

        Raises:
            ValueError: The license is not metered.
        """
        with self._state.lock:
            settle_overdue(self._license, self._state.now)
            return self._wallet.balance

    @property
    def ledger(self) -> Sequence[LedgerEntry]:
        """The ledger, newest entry first. It does not include refused charges.

        Raises:
            ValueError: The license is not metered.
        """
        with self._state.lock:
            settle_overdue(self._license, self._state.now)
            return tuple(reversed(self._wallet.ledger))

    def grant(
        self, amount: Amount, *, reason: str | None = None, external_reference: str | None = None
    ) -> None:
        """Add to the balance.

        Raises:
            TypeError: The amount is a float.
            ValueError: The license is not metered, the amount is not positive or not exact, or the
                balance would be too high.
        """
        with self._state.lock:
            wallet = self._wallet
            granted = positive_amount(amount, wallet.mode)
            check_bounds(wallet, granted)
            details = {"reason": reason, "external_reference": external_reference}
            record_entry(wallet, "AdminGrant", granted, self._state.now, **details)

    def adjust(self, amount: Amount, reason: str) -> None:
        """Adjust the balance, up or down.

        Raises:
            TypeError: The amount is a float.
            ValueError: The license is not metered, the amount is 0 or not exact, or the balance
                would be negative or too high.
        """
        with self._state.lock:
            wallet = self._wallet
            correction = exact_amount(amount, wallet.mode)
            if not correction:
                raise ValueError("the amount must not be 0")
            check_bounds(wallet, correction)
            record_entry(wallet, "Adjust", correction, self._state.now, reason=reason)

    def revoke(self) -> None:
        """Revoke the license. This is final."""
        self._license.revoked = True

    def suspend(self) -> None:
        """Suspend the license.

        Raises:
            ValueError: The license is revoked.
        """
        self._refuse_if_revoked()
        self._license.suspended = True

    def reinstate(self) -> None:
        """Reinstate a suspended license.

        Raises:
            ValueError: The license is revoked.
        """
        self._refuse_if_revoked()
        self._license.suspended = False

    def enrollment_key(
        self, *, max_devices: int | None = None, expires: datetime | timedelta | None = None
    ) -> str:
        """Create an enrollment key, and return its secret.

        Args:
            max_devices: How many devices may take a seat by it; by default only seats limit them.
            expires: A time with a time zone, or a duration from now; by default it does not expire.

        Raises:
            ValueError: The license is not Concurrent, or it is revoked.
        """
        self._refuse_if_revoked()
        if self._license.traits.seat_kind != "Device":
            raise ValueError("only Concurrent licenses have enrollment keys")
        end = resolve_time(expires, self._state.now) if expires is not None else None
        secret = f"licet_ek_{token_hex(24)}"
        with self._state.lock:
            self._license.enrollment_keys.append(EnrollmentKey(secret, end, max_devices))
        return secret

    def delete_enrollment_key(self, secret: str) -> None:
        """Delete an enrollment key. Devices that have enrolled keep seat and token."""
        with self._state.lock:
            kept = [item for item in self._license.enrollment_keys if item.secret != secret]
            self._license.enrollment_keys = kept

    def renew(self, until: datetime | timedelta) -> None:
        """Set a new expiration date. A longer term continues the one before if that is not over.

        Args:
            until: A time with a time zone, or a duration from now.
        """
        license_, now = self._license, self._state.now
        end, before = resolve_time(until, now), license_.expiration_date
        if before is not None and end - before > before - now:
            license_.term_began_at = before
            if is_unpaid(license_, now):
                license_.term_began_at = license_.paid_since = now
        license_.expiration_date = end

    @property
    def updates_until(self) -> datetime | None:
        """The last publication of a release that the license covers; ``None`` if none is set."""
        return self._license.updates_until

    def renew_updates(self, until: datetime | timedelta) -> None:
        """Set the last publication of a release that the license covers.

        Args:
            until: A time with a time zone, or a duration from now.
        """
        self._license.updates_until = resolve_time(until, self._state.now)

    def file(self, hardware_id: str | None = None, *, protected: bool = False) -> str:
        """Create a license.bin to copy to a device without a connection, and return its text.

        Args:
            hardware_id: The device that the file is for. An unbound node-locked license is bound to
                it. By default the file is for the device that the license is bound to, or for none.
                A Concurrent license for offline use requires it: the device takes a seat.
            protected: Whether to encrypt the file with a key derived from the license key.

        Raises:
            ValueError: The license is not active, its key is too short to protect a file, the
                device is blocked, the license is bound to another device, or all seats are taken.
        """
        with self._state.lock:
            if self.status != "Active":
                raise ValueError(f"the license is {self.status}; only active licenses have files")
            now = self._state.now
            if self._license.traits.binding:
                hardware_id = self._bind(hardware_id, now)
            elif self._license.file_takes_seat:
                hardware_id = self._seat(hardware_id, now)
            try:
                return make_license_file(
                    self._state, self._license, hardware_id, protected=protected, now=now
                )
            except Refused as refused:
                raise ValueError(refused.detail) from refused

    def base_file(self) -> str:
        """Create the file that is a license only with the code of a device, and return its text."""
        with self._state.lock:
            return base_file(self._state, self._license, self._state.now)

    def answer_offline(self, request: str) -> FakeOfflineAnswer:
        """Answer the offline request of a device, whatever the license allows.

        Args:
            request: Its text, or a release code.

        Raises:
            ValueError: It is damaged, outdated or not for this product, or there is no seat.
        """
        with self._state.lock:
            try:
                view = self._answer(request.strip())
            except Refused as refused:
                raise ValueError(f"{refused.code}: {refused.detail}") from refused
        file = view["file"]
        return FakeOfflineAnswer(
            view["state"], None if file is None else b64decode(file), view["code"]
        )

    def reject_offline(self, request: str, reason: str | None = None) -> None:
        """Refuse an offline request that waits for approval."""
        with self._state.lock:
            reject(self._license, read_request(request, self._state.product.id), reason)

    def _answer(self, request: str) -> dict[str, Any]:
        if "." not in request:
            return release_by_code(self._license, request, self._state)
        asked = read_request(request, self._state.product.id)
        row = decide(self._state, self._license, asked, self._state.now, by_vendor=True)
        return answer_view(row)

    def _bind(self, hardware_id: str | None, now: datetime) -> str | None:
        bound = bound_device(self._license)
        if hardware_id is None:
            return None if bound is None else bound.hardware_id
        _check_admissible(self._license, hardware_id)
        return register_device(
            self._license, {"hardwareId": hardware_id}, now, seat=True
        ).hardware_id

    def _seat(self, hardware_id: str | None, now: datetime) -> str:
        if hardware_id is None:
            raise ValueError("pass the hardware ID of the device that the file is for")
        _check_admissible(self._license, hardware_id)
        self._license.drop_lapsed(now)
        if activation_refusal(self._license, hardware_id) is not None:
            raise ValueError("all seats are taken; deactivate a device first")
        register_device(self._license, {"hardwareId": hardware_id}, now, seat=True)
        return hardware_id

    def __repr__(self) -> str:
        return f"FakeLicense(type={self.type!r}, status={self.status!r})"

    @property
    def _wallet(self) -> Wallet:
        if self._license.wallet is None:
            raise ValueError(f"a {self.type} license is not metered")
        return self._license.wallet

    def _refuse_if_revoked(self) -> None:
        if self._license.revoked:
            raise ValueError("the license is revoked, which is final; issue a new one")


def _check_admissible(license_: License, hardware_id: str) -> None:
    if is_blocked(license_, hardware_id):
        raise ValueError("the device is blocked; unblock it first")
    bound = bound_device(license_) if license_.traits.binding else None
    if bound is not None and bound.hardware_id != hardware_id:
        raise ValueError("the license is bound to another device; deactivate that device first")


def resolve_time(until: datetime | timedelta, now: datetime) -> datetime:
    """Convert a time, or a duration from now, to a time in UTC.

    Raises:
        ValueError: The time has no time zone.
    """
    if isinstance(until, timedelta):
        return now + until
    if until.tzinfo is None:
        raise ValueError("the time must have a time zone")
    return until.astimezone(UTC)

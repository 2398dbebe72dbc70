"""An open license, as ``client.open()`` gives it to the application."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Self, overload

from licet._activation import deactivate
from licet._borrowing import BorrowedSeat, session_to_borrow
from licet._claim import run_claim
from licet._core import LicenseCore
from licet._flow import run
from licet._license_models import LicenseStatus, LicenseType, SeatKind
from licet._metering import Balance, Consumption, consume, make_charge
from licet._model import EntitlementValue, License, LicenseResult, LicenseSeat, Value, value_or
from licet._opening import Opened, open_license
from licet._session import Session
from licet._session_lifecycle import SessionInfo
from licet._session_options import SessionOptions
from licet._status import LicenseValidationStatus
from licet._transport import Transport
from licet._watch import Watch


class OpenLicenseInfo:
    """The properties shared by sync and async open licenses."""

    def __init__(self, core: LicenseCore, opened: Opened) -> None:
        self._core, self._opened = core, opened
        self._last_terms = opened.result.license or License("", LicenseType(""), LicenseStatus(""))
        self._released = False

    @property
    def result(self) -> LicenseResult:
        """The client's latest result: of the opening, a watch, or any other check since then."""
        latest = self._core.latest
        return latest if latest is not None else self._opened.result

    @property
    def valid(self) -> bool:
        """Whether the application may go on running."""
        return self.result.valid

    @property
    def status(self) -> LicenseValidationStatus:
        """The latest status: ``GracePeriod`` if the server could not be asked."""
        return self.result.status

    @property
    def _terms(self) -> License:
        """The latest terms; a refusal does not always have some."""
        self._last_terms = self.result.license or self._last_terms
        return self._last_terms

    @property
    def message(self) -> str:
        """The status in a sentence for the user."""
        return self.result.message

    @property
    def warning(self) -> str | None:
        """The first of the problems that do not stop the application."""
        return self.result.warning

    @property
    def warnings(self) -> tuple[str, ...]:
        """All such problems; see :class:`licet.LicenseResult`."""
        return self.result.warnings

    @property
    def grace_ends_at(self) -> datetime | None:
        """When the application has to reach the server again; ``None`` outside a grace period."""
        in_grace = self.status is LicenseValidationStatus.GracePeriod
        return self.result.grace_ends_at if in_grace else None

    @property
    def id(self) -> str:
        return self._terms.id

    @property
    def type(self) -> LicenseType:
        """The license model, such as ``Floating``; a newer server may send others."""
        return self._terms.type

    @property
    def name(self) -> str | None:
        """The name that the vendor gave the license."""
        return self._terms.name

    @property
    def issued_to(self) -> str | None:
        """The end user: an email address or a user ID."""
        return self._terms.issued_to

    @property
    def expiration_date(self) -> datetime | None:
        """The end of the term and its grace; ``None`` if the license does not expire."""
        return self._terms.expiration_date

    @property
    def activation_mode(self) -> str:
        """``Online`` or ``Offline``."""
        return self._terms.activation_mode

    @property
    def metadata(self) -> Mapping[str, str]:
        """The vendor's own data."""
        return self._terms.metadata

    @property
    def features(self) -> tuple[str, ...] | None:
        """The granted features; ``None`` means not restricted. Empty if it is no longer valid."""
        return self.result.features

    def has_feature(self, name: str) -> bool:
        """Whether a feature may be used now. Case-insensitive."""
        return self.result.has_feature(name)

    @overload
    def entitlement(self, name: str) -> EntitlementValue | None: ...

    @overload
    def entitlement(self, name: str, default: Value) -> Value: ...

    def entitlement(
        self, name: str, default: EntitlementValue | None = None
    ) -> EntitlementValue | None:
        """The value of a feature; ``None`` if it may not be used now. Case-insensitive.

        A feature without a value is ``True``. A license that is not restricted grants every
        feature, so each is ``True`` unless the license has a value for it.

        With a ``default`` the result has its type: it is the default if the feature is not granted,
        or has no value of that type.
        """
        return value_or(self.result.entitlement(name), default)

    @property
    def seat(self) -> LicenseSeat:
        """The seat that this copy of the application holds, and how many are taken.

        The numbers are those of the latest verdict. A Floating seat is held as long as its session
        is alive, and no longer than until its end without a heartbeat.
        """
        kind, session = self._opened.traits.seat_kind, self._session
        seat = self._counted_seat(kind)
        if self._opened.traits.claim == "Session" and session is not None:
            return replace(seat, held=session.alive)
        if self._opened.traits.claim is None:
            return seat
        lost = session is not None and not session.alive
        refused = self.result is not self._opened.result and seat.held is False
        return replace(seat, held=not (self._released or lost or refused))

    def _counted_seat(self, kind: SeatKind) -> LicenseSeat:
        """The seat by the latest verdict, or by what was claimed after that of the opening."""
        told, claimed = self._terms.seat, self._opened.activation or self._session
        if claimed is not None and self.result is self._opened.result:
            return LicenseSeat(kind, True, claimed.seats_used, claimed.seats_total)
        return replace(told, kind=kind) if told is not None else LicenseSeat(kind)

    @property
    def balance(self) -> Balance | None:
        """The balance of a metered license after the last charge made through this object.

        Reserved credits are not in it, see :meth:`licet.LicenseClient.reserve`.
        ``None`` if the license is not metered, or was opened without the server.
        """
        return self._opened.balance

    @property
    def _session(self) -> SessionInfo | None:
        session: SessionInfo | None = self._opened.session
        return session

    def _after(self, consumption: Consumption) -> Consumption:
        before = self._opened.balance
        if before is not None and not consumption.replayed and not consumption.reserved:
            self._opened.balance = replace(before, balance=consumption.balance)
        return consumption

    def __repr__(self) -> str:
        return f"{type(self).__name__}(type={self.type!r}, status={self.status.value!r})"


class OpenLicense(OpenLicenseInfo):
    """A license in use; see :meth:`licet.LicenseClient.open`.

    Attributes:
        watch: What calls ``on_change``, if it was given.
    """

    def __init__(self, core: LicenseCore, opened: Opened, transport: Transport) -> None:
        super().__init__(core, opened)
        self._transport = transport
        self.watch: Watch | None = None

    def consume(
        self, feature: str, quantity: int = 1, *, idempotency_key: str | None = None
    ) -> Consumption:
        """Charge a metered license exactly once; see :meth:`licet.LicenseClient.consume`."""
        charge = make_charge(feature, quantity, idempotency_key, None)
        return self._after(run(consume(self._core, charge), self._transport))

    def borrow(self, days: int = 14) -> BorrowedSeat:
        """Borrow the seat of a Floating license; see :meth:`licet.Session.borrow`."""
        session: Session | None = self._opened.session
        return session_to_borrow(session).borrow(days)

    def release(self) -> None:
        """Give the seat back now, including the seat of a device, which ``close()`` keeps.

        The device of a Concurrent license is deactivated and a node-locked license is unbound.
        Does nothing if the license needs no seat.

        Raises:
            NetworkError: The server did not respond.
            ServerFaultError: The server responded with an error.
        """
        self.close()
        if self._opened.traits.claim == "Activation":
            run(deactivate(self._core), self._transport)
            self._released = True

    def close(self) -> None:
        """Give back the seat of a session. A device keeps its seat. May be repeated."""
        if self.watch is not None:
            self.watch.close()
        session: Session | None = self._opened.session
        if session is not None:
            session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_now(
    core: LicenseCore,
    transport: Transport,
    make_session: Callable[[SessionOptions], Session],
    options: SessionOptions,
) -> OpenLicense:
    """Validate the license and take what its model needs; see :func:`open_license`."""
    opened = run_claim(open_license(core), transport, make_session, options)
    return OpenLicense(core, opened, transport)

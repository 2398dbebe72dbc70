"""A seat held for a block of code, by activation or by session."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from licet._activation import Activation
from licet._borrowing import BorrowedSeat, session_to_borrow
from licet._callbacks import OnLost
from licet._claim import claim_seat, resolve_seat_mode, run_claim
from licet._core import LicenseCore
from licet._session import Session
from licet._session_lifecycle import SessionInfo
from licet._session_options import SessionOptions
from licet._transport import Transport


class SeatInfo:
    """The properties shared by sync and async seats.

    Attributes:
        activation: The activation created for the seat, if any.
    """

    activation: Activation | None = None
    session: SessionInfo | None = None

    @property
    def alive(self) -> bool:
        """Whether the seat is held, as far as the client knows."""
        return self.session.alive if self.session is not None else bool(self.activation)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(alive={self.alive})"


class Seat(SeatInfo):
    """A seat of this device; see :meth:`licet.LicenseClient.seat`.

    Attributes:
        activation: The activation created for the seat, if any.
        session: The session opened for the seat, if any.
    """

    session: Session | None = None

    def __init__(
        self,
        core: LicenseCore,
        transport: Transport,
        make_session: Callable[[SessionOptions], Session],
        on_lost: OnLost | None,
    ) -> None:
        self._core, self._transport = core, transport
        self._make_session, self._on_lost = make_session, on_lost

    def __enter__(self) -> Self:
        flow = claim_seat(self._core, resolve_seat_mode(self._core.config))
        options = SessionOptions(on_lost=self._on_lost)
        claimed = run_claim(flow, self._transport, self._make_session, options)
        self.activation, self.session = claimed
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.session is not None:
            self.session.close()

    def borrow(self, days: int = 14) -> BorrowedSeat:
        """Borrow the seat for so many days; see :meth:`licet.Session.borrow`."""
        return session_to_borrow(self.session).borrow(days)

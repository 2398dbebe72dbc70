"""Credits that this device has reserved, as the application has them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Self

from licet._core import LicenseCore
from licet._file_check import HeldCredits
from licet._lease_calls import run_alone
from licet._reserving import (
    current_credits,
    give_back_credits,
    renew_credits,
    report,
)
from licet._transport import Transport


class ReservedCreditsInfo:
    """The properties shared by sync and async reserved credits."""

    def __init__(self, core: LicenseCore, held: HeldCredits) -> None:
        self._core, self._held = core, held

    @property
    def lease_id(self) -> str:
        """The ID of the lease, as the dashboard shows it."""
        return self._held.lease.id

    @property
    def seq(self) -> int:
        """How often the lease was signed: 1 at first, and one more at each renewal."""
        return self._held.lease.seq

    @property
    def ends_at(self) -> datetime:
        """Until when the credits may be spent without the server."""
        return self._held.lease.ends_at

    @property
    def amount(self) -> Decimal:
        """How many credits were reserved."""
        return self._held.terms.amount

    @property
    def spent(self) -> Decimal:
        """How many were spent by all copies on this device; as last seen once they are gone."""
        return self._look().spent.used

    @property
    def remaining(self) -> Decimal:
        """How many are left; 0 once they are gone."""
        held = current_credits(self._core, self.lease_id)
        return Decimal(0) if held is None else held.left

    @property
    def unreported(self) -> int:
        """How many charges the server does not have yet; as last seen once they are gone."""
        held = self._look()
        return held.spent.lines - held.reported

    def _look(self) -> HeldCredits:
        """What there is now, or was when they were given back."""
        self._held = current_credits(self._core, self.lease_id) or self._held
        return self._held

    def __repr__(self) -> str:
        return f"{type(self).__name__}(ends_at={self.ends_at.isoformat()!r})"


class ReservedCredits(ReservedCreditsInfo):
    """Credits that this device has set aside, and spends without the server until their end.

    ``consume()`` charges them first, also without a network. The vendor's ledger has the charges
    when they are reported:

    >>> credits = metered.reserve(credits=5, days=7)
    >>> charge = metered.consume("export", 2, idempotency_key="order-17")
    >>> charge.reserved, charge.balance
    (True, Decimal('3'))
    >>> credits.remaining, credits.unreported
    (Decimal('3'), 1)
    >>> credits.report()
    >>> credits.unreported
    0
    >>> credits.renew(days=30).seq
    2
    >>> credits.return_()
    >>> metered.reserved_credits() is None
    True
    >>> metered.balance().balance
    Decimal('8')
    """

    def __init__(
        self, core: LicenseCore, connect: Callable[[], Transport], held: HeldCredits
    ) -> None:
        super().__init__(core, held)
        self._connect = connect

    def report(self) -> None:
        """Report what was spent so far. The credits that are left stay reserved.

        Raises:
            LeaseRefusedError: They were given back, or a copy of this device has spent them, too.
            NetworkError: The server did not respond; it is reported next time.
            ServerFaultError: The server responded with an error.
        """
        run_alone(report(self._core), self._connect)

    def renew(self, days: int = 7) -> Self:
        """Report, and keep what is left for so many days from now; never for less than before.

        Args:
            days: 1 to 366.

        Raises:
            ValueError: The days are out of range; nothing was sent.
            LeaseRefusedError: The vendor has recalled the credits, does not lend them for so long,
                or a copy of this device has spent them, too.
            NetworkError: The server did not respond; the credits stay reserved as they were.
            ServerFaultError: The server responded with an error.
        """
        self._held = run_alone(renew_credits(self._core, days), self._connect)
        return self

    def return_(self) -> None:
        """Report what was spent, and give the rest back to the license's balance.

        From now on this device spends nothing of it. What cannot be reported now is kept, and
        reported at the next contact.

        Raises:
            LeaseRefusedError: A copy of this device has spent the credits, too.
            NetworkError: The server did not respond yet.
            ServerFaultError: The server responded with an error.
            LicenseFileError: It cannot be written to disk; the credits are still reserved.
        """
        run_alone(give_back_credits(self._core), self._connect)

"""What is known of a license on this machine, before the server is asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from licet._amounts import EXACT
from licet._claims import LicenseFile
from licet._journal_line import Spent
from licet._lease import CreditLease, Lease
from licet._license_models import traits_of
from licet._model import LicenseResult


@dataclass(frozen=True, slots=True)
class HeldCredits:
    """Reserved credits of this device.

    Attributes:
        spent: What its journal says.
        reported: How many charges the server has.
    """

    terms: CreditLease
    spent: Spent
    reported: int

    @property
    def lease(self) -> Lease:
        """The lease."""
        return self.terms.lease

    @property
    def left(self) -> Decimal:
        """What can still be spent."""
        return EXACT.subtract(self.terms.amount, self.spent.used)


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The verdict on license.bin without asking the server.

    Attributes:
        refused_key: The license key of the file that a refusal has replaced, if it is known.
        refused_at: When the server signed that refusal.
        lease: The lease of a borrowed seat, if it may be used now.
        credits: The reserved credits, if they may be spent now.
    """

    result: LicenseResult
    file: LicenseFile | None
    refused_key: str | None = None
    refused_at: datetime | None = None
    lease: Lease | None = None
    credits: HeldCredits | None = None

    @property
    def is_sufficient(self) -> bool:
        """Whether the server does not have to be asked, as it has to for the time of a test."""
        if not self.result.valid or self.file is None or self._is_by_lease:
            return False
        return not self.file.online and not self.file.license.test

    @property
    def suffices_for_now(self) -> bool:
        """Whether the application can start without the server, though it should ask it."""
        if self._is_by_lease:
            return True
        if not self.result.valid or self.file is None:
            return False
        return traits_of(self.file.license.type).claim != "Session"

    @property
    def _is_by_lease(self) -> bool:
        credits_lease = None if self.credits is None else self.credits.lease
        leases = (self.lease, credits_lease)
        return any(item and self.result.license is item.terms.license for item in leases)

"""Hooks by which upper features react to changes of licenses, and add to what is shown of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License


class LicenseHooks(Protocol):
    """Reactions to changes of licenses, in the transaction of the change; wired in `app`."""

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that was just inserted."""
        ...

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that is about to be deleted; its row is locked."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentUsage:
    """How a license is currently used.

    `seats_used` is `None` where seats are not counted; the amounts are `None` where nothing is
    metered.
    """

    seats_used: int | None = None
    unreviewed_access_attempts: int = 0
    meter_balance: Decimal | None = None
    low_balance_threshold: Decimal | None = None


class CurrentUsageReader(Protocol):
    """Reads from upper features how licenses are used; wired in `app`."""

    async def __call__(
        self, db: Connection, licenses: Sequence[License], now: datetime
    ) -> dict[UUID, CurrentUsage]:
        """The use of each of these licenses at `now`, in a few statements for all."""
        ...

"""Hooks by which upper features react to changes of licenses, and add to what is shown of them."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License, LicenseStatus


class LicenseHooks:
    """Reactions to changes of licenses, in the transaction of the change; wired in `app`.

    A feature derives from this class, and leaves out what it does not react to.
    """

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that was just inserted."""

    async def license_converted(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that was just converted to its present model; its row is locked."""

    async def licenses_ended(
        self, work: UnitOfWork, licenses: Sequence[License], status: LicenseStatus
    ) -> None:
        """React to licenses that were revoked, or whose term has ended; their rows are locked."""

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that is about to be deleted; its row is locked."""


class LicenseHookChain(LicenseHooks):
    """Several hooks as one, called in their order."""

    def __init__(self, *hooks: LicenseHooks) -> None:
        self._hooks = hooks

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """Call each hook."""
        for hook in self._hooks:
            await hook.license_issued(work, license_)

    async def license_converted(self, work: UnitOfWork, license_: License) -> None:
        """Call each hook."""
        for hook in self._hooks:
            await hook.license_converted(work, license_)

    async def licenses_ended(
        self, work: UnitOfWork, licenses: Sequence[License], status: LicenseStatus
    ) -> None:
        """Call each hook."""
        for hook in self._hooks:
            await hook.licenses_ended(work, licenses, status)

    async def license_deleted(self, work: UnitOfWork, license_: License) -> None:
        """Call each hook."""
        for hook in self._hooks:
            await hook.license_deleted(work, license_)


class CurrentUsage(Struct, frozen=True, kw_only=True):
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
        """Return the use of each of these licenses at `now`, in a few statements for all."""
        ...

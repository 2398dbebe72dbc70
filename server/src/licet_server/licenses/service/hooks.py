"""Hooks by which upper features react to changes of licenses, and add to what is shown of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Protocol, Self
from uuid import UUID

from msgspec import Struct

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import (
    LatestOrder,
    License,
    LicenseId,
    LicenseStatus,
    seat_cap,
)
from licet_server.licenses.rules.traits import SeatKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOverLimit:
    """A device that has no seat because of the cap; its hardware ID is masked."""

    id: UUID
    hardware_id: str
    device_name: str | None
    activated_at: datetime | None
    last_seen_at: datetime


@dataclass(slots=True)
class TermsChange:
    """Another model or another seat cap of a license, and what becomes of what it held.

    The devices to `keep` have their seats first. The other fields are filled in by upper features:
    the newest devices that have no seat now, how many sessions ended with theirs, and the balance
    of a wallet that is kept for another conversion, or that was closed with its unit.
    """

    before: License
    after: License
    keep: tuple[UUID, ...] = ()
    over_limit: list[DeviceOverLimit] = field(default_factory=list)
    sessions_ended: int = 0
    balance_kept: Decimal | None = None
    balance_closed: Decimal | None = None

    @property
    def is_conversion(self) -> bool:
        """Whether the license has another model."""
        return self.before.type is not self.after.type

    @property
    def matters(self) -> bool:
        """Whether seats or the balance may depend on the change."""
        return (
            self.is_conversion or bool(self.keep) or seat_cap(self.before) != seat_cap(self.after)
        )


class LicenseHooks:
    """Reactions to changes of licenses, in the transaction of the change; wired in `app`.

    A feature derives from this class, and leaves out what it does not react to.
    """

    async def license_issued(self, work: UnitOfWork, license_: License) -> None:
        """React to a license that was just inserted."""

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """React to licenses that were just given another model or seat cap; their rows are locked.

        They are in the order of their IDs, and of products that go by one clock.
        """

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

    async def terms_changed(self, work: UnitOfWork, changes: Sequence[TermsChange]) -> None:
        """Call each hook."""
        for hook in self._hooks:
            await hook.terms_changed(work, changes)

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


async def report_changes(
    work: UnitOfWork, hooks: LicenseHooks, changes: Iterable[TermsChange]
) -> None:
    """Report changes of locked licenses that were just stored, in the order of their ids."""
    matter = sorted((item for item in changes if item.matters), key=lambda item: item.after.id)
    for clock, group in groupby(matter, key=lambda item: item.after.clock):
        await hooks.terms_changed(work.at(clock), list(group))


class CurrentUsage(Struct, frozen=True, kw_only=True):
    """How a license is currently used.

    `seats_used` is `None` where seats are not counted, `seats_away` where none can be borrowed; the
    amounts are `None` where nothing is metered.
    """

    seats_used: int | None = None
    seats_away: int | None = None
    devices_over_limit: int = 0
    unreviewed_access_attempts: int = 0
    meter_balance: Decimal | None = None
    low_balance_threshold: Decimal | None = None

    @property
    def is_low(self) -> bool:
        """Whether the balance is at or below the threshold; false without one."""
        threshold, balance = self.low_balance_threshold, self.meter_balance
        return threshold is not None and balance is not None and balance <= threshold

    @classmethod
    def of_new(cls, license_: License) -> Self:
        """Return how a license is used that was just issued."""
        traits = license_.traits
        return cls(
            seats_used=0 if traits.seat_kind in {SeatKind.SESSION, SeatKind.DEVICE} else None,
            seats_away=0 if traits.seat_kind is SeatKind.SESSION else None,
            meter_balance=license_.initial_meter_balance if traits.is_metered else None,
        )

    def devices_above(self, cap: int | None) -> int:
        """Return how many devices with a seat, or in line for one, are more than the cap."""
        if cap is None or self.seats_used is None:
            return 0
        return max(0, self.seats_used + self.devices_over_limit - cap)


class LicenseTraces(Protocol):
    """Reads from upper features what licenses left behind there; wired in `app`.

    Each costs one statement, whatever the number of licenses.
    """

    async def last_seen(
        self, db: Connection, licenses: Sequence[LicenseId]
    ) -> dict[UUID, datetime]:
        """Return when a device of these licenses was last seen; those without any are omitted."""
        ...

    async def orders(
        self, db: Connection, licenses: Sequence[LicenseId]
    ) -> dict[UUID, LatestOrder]:
        """Return the latest order of each of these licenses; those without any are omitted."""
        ...


class CurrentUsageReader(Protocol):
    """Reads from upper features how licenses are used; wired in `app`."""

    async def __call__(
        self, db: Connection, licenses: Sequence[License], now: datetime
    ) -> dict[UUID, CurrentUsage]:
        """Return the use of each of these licenses at `now`, or where its test clock stands.

        Costs a few statements for all that go by one instant.
        """
        ...

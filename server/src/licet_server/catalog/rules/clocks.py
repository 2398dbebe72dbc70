"""Test clocks: the time that a Test product goes by, which its vendor moves forward."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from licet_server.catalog import errors

DAYS_AT_ONCE_MAX = 3_660


class ClockStatus(StrEnum):
    """What a test clock does: it stands, it moves, or it stopped at a fault and can go on."""

    READY = "Ready"
    ADVANCING = "Advancing"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True)
class Clocked:
    """A product that goes by a clock of its own, and where that stands."""

    institution_id: UUID
    product_id: UUID
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductClock:
    """The clock of a Test product. It stands still at `now` until it is advanced.

    While it moves, `target` is where to, and `None` to wherever something is due next.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID
    now: datetime
    target: datetime | None
    status: ClockStatus
    created_at: datetime
    updated_at: datetime

    @property
    def clocked(self) -> Clocked:
        """The product, as work that is due by this clock names it."""
        return Clocked(self.institution_id, self.product_id, self.now)


def advanced(clock: ProductClock, target: datetime | None) -> ProductClock:
    """Return the clock on its way to `target`, or with `None` to whatever is due next.

    A clock that is there already is returned as it is, and so is one that is on this way already.

    Raises:
        Refused: `InvalidRequest` for a target in its past or too far ahead, `Conflict` while it
            moves to another one.
    """
    if clock.status is ClockStatus.ADVANCING:
        if target != clock.target:
            raise errors.clock_is_advancing()
        return clock
    if target is not None and target < clock.now:
        raise errors.clock_goes_forward(clock.now)
    if target is not None and target - clock.now > timedelta(days=DAYS_AT_ONCE_MAX):
        raise errors.clock_goes_too_far(DAYS_AT_ONCE_MAX)
    if target == clock.now and clock.status is ClockStatus.READY:
        return clock
    return replace(clock, target=target, status=ClockStatus.ADVANCING)


def moved(clock: ProductClock, due: datetime | None) -> ProductClock:
    """Return the clock after what was due at its `now` is done; `due` is when there is more to do.

    It goes to that instant, or to its target if that is sooner, and is Ready where it has arrived.
    """
    if clock.now == clock.target:
        return replace(clock, status=ClockStatus.READY)
    if clock.target is None:
        if due is None:
            return replace(clock, status=ClockStatus.READY)
        return replace(clock, now=due, target=due)
    return replace(clock, now=clock.target if due is None else min(due, clock.target))

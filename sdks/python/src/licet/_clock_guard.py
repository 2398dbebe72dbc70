"""Distinguish a clock that was set back from one in the wrong time zone.

The bound is the latest time known to have passed, signed by the server or read from this machine's
clock. Terms are evaluated at the later of the clock and the bound, so setting the clock back gains
nothing, and a clock in the wrong time zone does no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

TOLERANCE = timedelta(minutes=5)
MAX_TIME_ZONE_OFFSET = timedelta(hours=14)
QUARTER_HOUR = timedelta(minutes=15)
QUARTER_HOUR_TOLERANCE = timedelta(seconds=90)
ZERO = timedelta(0)


class ClockState(Enum):
    OK = "fine"
    WRONG_TIME_ZONE = "wrong zone"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The assessment of a clock reading.

    Attributes:
        judged_at: The time at which terms are evaluated; never before the bound.
        behind: How far the clock is behind the bound; zero if it is not behind.
    """

    state: ClockState
    judged_at: datetime
    behind: timedelta


def assess_clock(now: datetime, bound: datetime, bound_offset: timedelta | None) -> ClockReading:
    """Compare the clock with the latest time known to have passed.

    Args:
        now: The current time with the machine's UTC offset.
        bound: The latest time known to have passed.
        bound_offset: The machine's UTC offset when it read the bound from its clock, if it did.
    """
    behind = max(bound - now, ZERO)
    if behind <= TOLERANCE:
        state = ClockState.OK
    elif looks_like_time_zone(behind, now.utcoffset() or ZERO, bound_offset):
        state = ClockState.WRONG_TIME_ZONE
    else:
        state = ClockState.MOVED
    return ClockReading(state, max(now, bound), behind)


def looks_like_time_zone(
    difference: timedelta, current_offset: timedelta, bound_offset: timedelta | None
) -> bool:
    """Whether a difference between two clocks can be explained by a wrong time zone.

    Either the difference is a multiple of 15 minutes up to 14 hours, as between time zones and with
    daylight saving time. Or real time has passed since the bound was recorded, so the difference is
    not a round number: then it must not be larger than the change of the machine's UTC offset (the
    time zone was corrected) or than the offset itself (two operating systems on one machine
    disagree about whether the hardware clock runs in local time).
    """
    if is_quarter_hours(difference):
        return True
    changed = abs(current_offset - bound_offset) if bound_offset is not None else ZERO
    return difference <= max(changed, abs(current_offset)) + TOLERANCE and (
        changed > ZERO or current_offset != ZERO
    )


def is_quarter_hours(difference: timedelta) -> bool:
    """Whether a difference is a multiple of 15 minutes within the range of time zones."""
    difference = abs(difference)
    if (
        not QUARTER_HOUR - QUARTER_HOUR_TOLERANCE
        <= difference
        <= MAX_TIME_ZONE_OFFSET + QUARTER_HOUR_TOLERANCE
    ):
        return False
    remainder = difference % QUARTER_HOUR
    return min(remainder, QUARTER_HOUR - remainder) <= QUARTER_HOUR_TOLERANCE

"""Tells a clock that was moved back from one that runs in the wrong time zone.

The bound is the latest moment that is known to have passed: signed by the server, or seen on this
machine. Terms are judged by the later of the clock and the bound, so setting the clock back buys
no time, and a clock that is merely off by a time zone need not be accused of anything.
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
    """What the clock is worth.

    Attributes:
        judged_at: The moment by which terms are judged; never before the bound.
        behind: How far the clock is behind the bound; zero when it is not.
    """

    state: ClockState
    judged_at: datetime
    behind: timedelta


def assess_clock(now: datetime, bound: datetime, bound_offset: timedelta | None) -> ClockReading:
    """Compare the clock with the latest moment known to have passed.

    Args:
        now: The clock, carrying the machine's UTC offset.
        bound: That moment.
        offset_then: The machine's UTC offset when the bound was seen, if it was seen here.
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
    """Whether a difference between two clocks is one that a wrong time zone makes.

    Either it is a whole number of quarter hours up to 14 hours, which is what zones differ by and
    what daylight saving shifts. Or real time has passed since the bound was seen, which hides the
    round number: then the difference must be no larger than the change of the machine's offset
    (somebody corrected the zone) or than the offset itself (two operating systems on one machine
    that disagree whether its hardware clock runs in local time).
    """
    if is_quarter_hours(difference):
        return True
    changed = abs(current_offset - bound_offset) if bound_offset is not None else ZERO
    return difference <= max(changed, abs(current_offset)) + TOLERANCE and (
        changed > ZERO or current_offset != ZERO
    )


def is_quarter_hours(difference: timedelta) -> bool:
    """Whether a difference is a whole number of quarter hours, within a time zone's reach."""
    difference = abs(difference)
    if (
        not QUARTER_HOUR - QUARTER_HOUR_TOLERANCE
        <= difference
        <= MAX_TIME_ZONE_OFFSET + QUARTER_HOUR_TOLERANCE
    ):
        return False
    remainder = difference % QUARTER_HOUR
    return min(remainder, QUARTER_HOUR - remainder) <= QUARTER_HOUR_TOLERANCE

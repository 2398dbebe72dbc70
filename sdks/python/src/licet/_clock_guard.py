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
WIDEST_ZONE = timedelta(hours=14)
QUARTER = timedelta(minutes=15)
QUARTER_SLACK = timedelta(seconds=90)
NOTHING = timedelta(0)


class ClockState(Enum):
    FINE = "fine"
    WRONG_ZONE = "wrong zone"
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


def judge_clock(now: datetime, bound: datetime, offset_then: timedelta | None) -> ClockReading:
    """Compare the clock with the latest moment known to have passed.

    Args:
        now: The clock, carrying the machine's UTC offset.
        bound: That moment.
        offset_then: The machine's UTC offset when the bound was seen, if it was seen here.
    """
    behind = max(bound - now, NOTHING)
    if behind <= TOLERANCE:
        state = ClockState.FINE
    elif looks_like_zone(behind, now.utcoffset() or NOTHING, offset_then):
        state = ClockState.WRONG_ZONE
    else:
        state = ClockState.MOVED
    return ClockReading(state, max(now, bound), behind)


def looks_like_zone(
    difference: timedelta, offset_now: timedelta, offset_then: timedelta | None
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
    changed = abs(offset_now - offset_then) if offset_then is not None else NOTHING
    return difference <= max(changed, abs(offset_now)) + TOLERANCE and (
        changed > NOTHING or offset_now != NOTHING
    )


def is_quarter_hours(difference: timedelta) -> bool:
    """Whether a difference is a whole number of quarter hours, within a time zone's reach."""
    difference = abs(difference)
    if not QUARTER - QUARTER_SLACK <= difference <= WIDEST_ZONE + QUARTER_SLACK:
        return False
    remainder = difference % QUARTER
    return min(remainder, QUARTER - remainder) <= QUARTER_SLACK

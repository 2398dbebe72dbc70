"""How many sessions of a license are live, without a look at each of its slots.

The slots of a license are numbered from 1 without a gap, so that all but the free ones have a
session, and those are live that have not timed out. Of a large pool it is known until when none
times out. Until then, free slots are counted, which an index lists, instead of live sessions.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

SUMMED_SLOTS = 500
"""Fewer slots are counted each time: this costs no more than knowing about them."""


@dataclass(frozen=True, slots=True)
class PoolState:
    """The number of a license's last slot, and how many sessions were live.

    `quiet_until` is what is stored of the pool. `first_timeout` is that of all sessions in slots,
    if they were counted and there are any.
    """

    top: int = 0
    live: int = 0
    is_summed: bool = False
    quiet_until: datetime | None = None
    first_timeout: datetime | None = None

    def quiet_after(
        self, cap: int | None, started: Iterable[datetime], now: datetime
    ) -> datetime | None:
        """Return until when no session times out, now that some have started with these timeouts.

        `None` if what is stored remains true, or if a session has timed out already.
        """
        first = min(started, default=None)
        # Slots beyond the cap may have gaps between them.
        if self.is_summed or not SUMMED_SLOTS <= self.top <= (cap or 0):
            is_earlier = self.quiet_until and first and first < self.quiet_until
            return first if is_earlier else None
        if self.first_timeout is not None:
            first = min(self.first_timeout, first or self.first_timeout)
        return first if first is not None and first > now else None

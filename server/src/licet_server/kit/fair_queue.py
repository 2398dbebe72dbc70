"""Fair queues: a tenant that floods the service only slows itself down.

A process runs one step of one request at a time, so a request waits for the steps of all that were
admitted before. Each tenant therefore has its own lane, and while several tenants are active, only
a share of a lane's requests is in progress; the others wait in order of arrival. A tenant that has
the service to itself is not limited, since concurrent requests share statements.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from licet_server.kit.coalesce import Observe, QueueFull, unobserved

IN_PROGRESS = 32
"""How many requests of all lanes are in progress at a time, if each lane uses its share."""
SMALLEST_SHARE = 4
MAX_WAITING = 4096
REMEMBERED_SECONDS = 60.0
"""How long after a request of another tenant a tenant shares the service."""


@dataclass(slots=True)
class _Lane:
    in_progress: int = 0
    waiting: deque[tuple[asyncio.Future[None], int]] = field(default_factory=deque)


class FairQueue:
    """Admits the requests of tenants fairly. One queue belongs to one event loop."""

    def __init__(
        self,
        *,
        in_progress: int = IN_PROGRESS,
        elapsed: Callable[[], float] = time.monotonic,
        observe: Observe = unobserved,
    ) -> None:
        self._in_progress = in_progress
        self._elapsed = elapsed
        self._lanes: dict[Hashable, _Lane] = {}
        self._last: Hashable | None = None
        self._shared_until = float("-inf")
        self._refuse = observe("turns", lambda: self.waiting).refuse

    @property
    def waiting(self) -> int:
        """The number of requests that wait to be admitted."""
        return sum(len(lane.waiting) for lane in self._lanes.values())

    async def enter(self, tenant: Hashable, weight: int = 1) -> None:
        """Wait until a request of the tenant may proceed; `leave` must follow.

        An expensive request counts as several: `weight` is how many.

        Raises:
            QueueFull: too many requests of the tenant are waiting.
        """
        if tenant != self._last:
            if self._last is not None:
                self._shared_until = self._elapsed() + REMEMBERED_SECONDS
            self._last = tenant
        lane = self._lanes.get(tenant)
        if lane is None:
            lane = self._lanes[tenant] = _Lane()
        if not lane.waiting and lane.in_progress < self._share():
            lane.in_progress += weight
            return
        if len(lane.waiting) >= MAX_WAITING:
            self._refuse()
            raise QueueFull(len(lane.waiting))
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.waiting.append((admitted, weight))
        try:
            await admitted
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled():
                self.leave(tenant, weight)
            raise

    def leave(self, tenant: Hashable, weight: int = 1) -> None:
        """Admit the next requests of the tenant; `weight` is that of the request that leaves."""
        lane = self._lanes[tenant]
        lane.in_progress -= weight
        share = self._share() if lane.waiting else 0
        while lane.waiting and lane.in_progress < share:
            admitted, next_weight = lane.waiting.popleft()
            if not admitted.done():
                lane.in_progress += next_weight
                admitted.set_result(None)
        if not lane.in_progress:
            del self._lanes[tenant]

    def _share(self) -> float:
        """Return how many requests of a lane may be in progress now."""
        if self._shared_until <= self._elapsed():
            return float("inf")
        return max(SMALLEST_SHARE, self._in_progress // max(2, len(self._lanes)))

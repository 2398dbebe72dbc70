"""Fair queues: who floods the service waits for themselves, and others do not wait for them.

A process works on one step of one request at a time, so a caller waits for the steps of everybody
who was admitted before. Each tenant therefore has a lane, and among several tenants only a share
of a lane's requests is in progress; the rest waits outside, in the order of arrival. A tenant that
has the service to itself is not limited, since statements serve more requests the more of them
come together.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from licet_server.kit.coalesce import Observe, QueueFull, unobserved

IN_PROGRESS = 32
"""The requests of all lanes that are in progress at a time, if each lane takes its share."""
SMALLEST_SHARE = 4
MAX_WAITING = 4096
REMEMBERED_SECONDS = 60.0
"""For so long after a request of another tenant, a tenant does not have the service to itself."""


@dataclass(slots=True)
class _Lane:
    in_progress: int = 0
    waiting: deque[tuple[asyncio.Future[None], int]] = field(default_factory=deque)


class FairQueue:
    """Admits the requests of tenants. One queue belongs to one event loop."""

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

    async def enter(self, tenant: Hashable, places: int = 1) -> None:
        """Wait until a request of the tenant may be worked on; `leave` must follow.

        One that takes long counts as several requests in progress: it takes so many `places`.

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
            lane.in_progress += places
            return
        if len(lane.waiting) >= MAX_WAITING:
            self._refuse()
            raise QueueFull(len(lane.waiting))
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.waiting.append((admitted, places))
        try:
            await admitted
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled():
                self.leave(tenant, places)
            raise

    def leave(self, tenant: Hashable, places: int = 1) -> None:
        """Make room for the next requests of the tenant; `places` is what this one took."""
        lane = self._lanes[tenant]
        lane.in_progress -= places
        share = self._share() if lane.waiting else 0
        while lane.waiting and lane.in_progress < share:
            admitted, wanted = lane.waiting.popleft()
            if not admitted.done():
                lane.in_progress += wanted
                admitted.set_result(None)
        if not lane.in_progress:
            del self._lanes[tenant]

    def _share(self) -> float:
        """How many requests of a lane may be in progress now."""
        if self._shared_until <= self._elapsed():
            return float("inf")
        return max(SMALLEST_SHARE, self._in_progress // max(2, len(self._lanes)))

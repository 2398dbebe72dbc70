"""Sends what is due: many at once, few to the same receiver, with no connection held meanwhile."""

import asyncio
from collections import Counter, defaultdict
from datetime import timedelta
from uuid import UUID

import structlog

from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.webhooks.rules.model import Answer, Status
from licet_server.webhooks.service.metrics import WebhookMetrics
from licet_server.webhooks.service.network import Connections, Network, open_connections
from licet_server.webhooks.service.sending import send
from licet_server.webhooks.service.settling import Attempt, settle
from licet_server.webhooks.storage.attempts import CLAIMED_PER_WEBHOOK, Claimed, claim_due
from licet_server.webhooks.storage.deliveries import forget_settled

LEASE = timedelta(seconds=60)
BEGUN_WITHIN_SECONDS = 30.0
"""After its claim; what waits longer is let go, so that no lease ends during an attempt."""
AT_ONCE = 200
AT_ONCE_PER_WEBHOOK = 4
CLAIMED_AT_ONCE = 2_000
FORGOTTEN_AFTER = timedelta(days=30)

_LOOK_EVERY_SECONDS = 1.0

_log = structlog.get_logger("licet.webhooks")


async def dispatch(platform: Platform, network: Network) -> int:
    """Send what is due and what becomes due meanwhile; answers how many attempts there were.

    It goes on for as long as anything is under way, so that a receiver who takes his time holds up
    nobody else. What is under way when the process dies is due again when its lease is over.
    """
    first = await _claim(platform, Counter(), CLAIMED_AT_ONCE)
    if not first:
        return 0
    async with open_connections(network) as connections:
        flights = _Flights(platform, connections)
        try:
            return await flights.all_from(first)
        finally:
            await flights.abandon()


async def forget_deliveries(platform: Platform) -> int:
    """Delete settled deliveries that are older than 30 days; answers how many."""
    total, before = 0, platform.clock() - FORGOTTEN_AFTER
    while True:
        async with platform.database.reading() as db:
            forgotten = await forget_settled(db, before)
        total += forgotten
        if not forgotten:
            return total


async def _claim(platform: Platform, held: Counter[UUID], limit: int) -> list[Claimed]:
    """More for those webhooks of which less is held than one claim brings."""
    busy = [webhook_id for webhook_id, count in held.items() if count >= CLAIMED_PER_WEBHOOK]
    async with platform.database.reading() as db:
        return await claim_due(db, platform.clock(), LEASE, busy, limit)


class _Flights:
    """Attempts that are under way or wait for their turn, each in a task of its own."""

    def __init__(self, platform: Platform, connections: Connections) -> None:
        self._platform = platform
        self._connections = connections
        self._metrics = platform.metrics.of(WebhookMetrics)
        self._all_turns = asyncio.Semaphore(AT_ONCE)
        self._turns: defaultdict[UUID, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(AT_ONCE_PER_WEBHOOK)
        )
        self._tasks: dict[asyncio.Task[Answer | None], Claimed] = {}

    async def all_from(self, claimed: list[Claimed]) -> int:
        """Send these and all that is due until nothing is; answers how many attempts ended."""
        ended = 0
        while True:
            self._begin(claimed)
            if not self._tasks:
                return ended
            done, _ = await asyncio.wait(
                self._tasks,
                timeout=_LOOK_EVERY_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            ended += await self._settle(done)
            room = CLAIMED_AT_ONCE - len(self._tasks)
            held = Counter(item.delivery.webhook_id for item in self._tasks.values())
            claimed = await _claim(self._platform, held, room) if room else []
            held.update(item.delivery.webhook_id for item in claimed)
            await self._connections.keep(held)

    def _begin(self, claimed: list[Claimed]) -> None:
        latest = asyncio.get_running_loop().time() + BEGUN_WITHIN_SECONDS
        for item in claimed:
            task = asyncio.create_task(self._attempt(item, latest), name="webhook")
            self._tasks[task] = item

    async def _attempt(self, item: Claimed, latest: float) -> Answer | None:
        """What came of it, or `None` where its turn came too late."""
        async with self._turns[item.delivery.webhook_id], self._all_turns:
            if asyncio.get_running_loop().time() > latest:
                return None
            now = self._platform.clock()
            self._metrics.began(now - item.was_due_at)
            pool = self._connections.of(item.delivery.webhook_id)
            return await send(pool, self._platform.keyring, item, now)

    async def _settle(self, done: set[asyncio.Task[Answer | None]]) -> int:
        now = self._platform.clock()
        results = [(self._tasks.pop(task).delivery, task.result()) for task in done]
        ended = [Attempt(item, answer, now) for item, answer in results if answer is not None]
        if not ended:
            return 0
        async with self._platform.unit_of_work(Origin()) as work:
            settled = await settle(work, ended)
        for item in settled:
            self._metrics.ended(item)
            if item.status is not Status.DELIVERED:
                _log.info(
                    "webhook_attempt_failed",
                    webhook=str(item.webhook_id),
                    delivery=str(item.id),
                    attempt=item.attempts,
                    status=item.response_status,
                )
        return len(ended)

    async def abandon(self) -> None:
        """Break off what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

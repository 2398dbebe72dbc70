"""Brings new notifications to those who follow them, while they do.

Each process asks the database once a second for all its readers together, and not at all while it
has none. Notifications may be committed in another order than that of their ids: whatever is not
older than a minute is asked for again and again, and each reader gets it once.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service import audience
from licet_server.kit.errors import unavailable
from licet_server.kit.ids import least_id
from licet_server.kit.platform import Platform
from licet_server.notifications import errors
from licet_server.notifications.rules.model import Notification, is_seen
from licet_server.notifications.service.reading import count_unread
from licet_server.notifications.storage import notifications as storage

READERS_PER_USER = 5
READERS_AT_ONCE = 1_000
WAITING_PER_READER = 500
EVERY_SECONDS = 1.0
TASK_NAME = "notifications"

_LATE = timedelta(minutes=1)
_RETRY_SECONDS = 30

_log = structlog.get_logger("licet.notifications")


@dataclass(eq=False, slots=True)
class Reader:
    """Somebody who follows his notifications; `unread` is how many there were at first."""

    user_id: UUID
    presence: audience.Presence
    ends_at: datetime
    since: UUID
    unread: int = 0
    is_ready: bool = False
    is_over: bool = False
    _known: set[UUID] = field(default_factory=set)
    _waiting: deque[Notification] = field(default_factory=deque)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def know(self, found: Collection[Notification]) -> None:
        """These are not new to him."""
        self._known |= {item.id for item in found}

    def tell(self, item: Notification) -> None:
        """Have him get it, once. One who does not read what waits for him is at his end."""
        if item.id in self._known or item.id < self.since:
            return
        self._known.add(item.id)
        self._waiting.append(item)
        if len(self._waiting) > WAITING_PER_READER:
            self.end()
        self._woken.set()

    def end(self) -> None:
        """He gets nothing more."""
        self.is_over = True
        self._woken.set()

    async def next(self) -> Notification | None:
        """What is new, as soon as it is; `None` at the end."""
        while not self.is_over:
            if self._waiting:
                return self._waiting.popleft()
            self._woken.clear()
            await self._woken.wait()
        return None


class Feed:
    """The readers of this process."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._readers: set[Reader] = set()
        self._asking: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._is_leaving = False

    async def open(self, operator: Operator, address: str, ends_at: datetime) -> Reader:
        """A reader for the operator at `address`, until `ends_at` or the end of his sign-in.

        It must be closed.

        Raises:
            Refused: `RateLimited` when he has too many, `Unavailable` when the process has or ends.
        """
        mine = [reader for reader in self._readers if reader.user_id == operator.user_id]
        if len(mine) >= READERS_PER_USER:
            raise errors.too_many_streams(READERS_PER_USER, _RETRY_SECONDS)
        if self._is_leaving or len(self._readers) >= READERS_AT_ONCE:
            raise unavailable()
        since = least_id(self._platform.clock() - _LATE)
        reader = Reader(operator.user_id, (operator.sign_in_id, address), ends_at, since)
        self._readers.add(reader)
        try:
            async with self._platform.database.reading() as db:
                latest = [operator.user_id], since, WAITING_PER_READER
                reader.know(await storage.fetch_latest(db, *latest))
                reader.unread = await count_unread(db, operator)
        except BaseException:
            self.close(reader)
            raise
        reader.is_ready = True
        self._begin_asking()
        return reader

    def close(self, reader: Reader) -> None:
        """Forget a reader; with the last one goes the task that asks for all."""
        self._readers.discard(reader)
        reader.end()
        if not self._readers:
            self._idle.set()

    def leave(self) -> None:
        """Let all readers come to their end, and no new ones in, since the process ends."""
        self._is_leaving = True
        for reader in self._readers:
            reader.end()

    async def aclose(self) -> None:
        """Forget all readers, and stop."""
        for reader in list(self._readers):
            self.close(reader)
        self._idle.set()
        if self._asking is not None:
            await self._asking

    def _begin_asking(self) -> None:
        if self._idle.is_set() or self._asking is None or self._asking.done():
            # One that was told to end does so by itself, and another one begins.
            self._idle = asyncio.Event()
            self._asking = asyncio.create_task(self._ask_on(self._idle), name=TASK_NAME)

    async def _ask_on(self, idle: asyncio.Event) -> None:
        while not idle.is_set():
            try:
                await self._ask()
            except Exception as error:  # noqa: BLE001 - the database may be back in a second
                _log.warning("notifications_not_asked", error=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), EVERY_SECONDS)

    async def _ask(self) -> None:
        now = self._platform.clock()
        for reader in [item for item in self._readers if item.ends_at <= now]:
            reader.end()
        readers = [item for item in self._readers if item.is_ready and not item.is_over]
        if not readers:
            return
        people = {reader.user_id for reader in readers}
        since = least_id(now - _LATE)
        async with self._platform.database.reading() as db:
            present = await audience.find_present(db, {reader.presence for reader in readers})
            found = await storage.fetch_latest(db, people, since, WAITING_PER_READER)
        by_person: dict[UUID, list[Notification]] = defaultdict(list)
        for item in found:
            by_person[item.user_id].append(item)
        for reader in readers:
            grants = present.get(reader.presence)
            if grants is None:
                reader.end()
                continue
            for item in by_person[reader.user_id]:
                if is_seen(item, grants.roles):
                    reader.tell(item)

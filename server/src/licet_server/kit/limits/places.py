"""Concurrency limits for long responses such as exports, per user and per institution.

Each response takes a place. Places are counted in the database, over all processes of the instance.
A place is held for half a minute and extended while its process lives, so the places of a killed
process are free again after that time.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog

from licet_server.kit.clock import Clock
from licet_server.kit.database import Database
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.ids import new_id
from licet_server.kit.limits.storage import delete_places, extend_places, take_places

HELD_FOR = timedelta(seconds=30)
EXTEND_SECONDS = 10.0
_PAUSES = (0.02, 0.05, 0.1, 0.2)
"""Delays before retries, since a place may become free in a moment."""

_log = structlog.get_logger("licet.places")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of long responses, named in the plural, and its limits.

    `retry_after` is the number of seconds after which a caller may try again.
    """

    name: str
    per_user: int
    per_institution: int
    per_process: int
    retry_after: int


@dataclass(frozen=True, slots=True)
class Place:
    """A place that this process holds for a response."""

    kind: Kind
    holder: UUID


class Places:
    """The places that this process holds."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._held: set[UUID] = set()
        self._left: set[UUID] = set()
        self._numbers: Counter[str] = Counter()
        self._writing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def take(self, kind: Kind, user: str, institution_id: UUID | None = None) -> Place:
        """Take a place for a user, or another identity of a caller, and for the institution.

        The place must be given back.

        Raises:
            Refused: `RateLimited` if all places of one of them, or of the process, are taken.
        """
        if self._numbers[kind.name] >= kind.per_process:
            raise _full(kind, "This server has", kind.per_process)
        wanted = {f"{kind.name}:user:{user}": ("You have", kind.per_user)}
        if institution_id is not None:
            bucket = f"{kind.name}:institution:{institution_id}"
            wanted[bucket] = ("Your institution has", kind.per_institution)
        place = Place(kind, new_id(self._clock()))
        self._numbers[kind.name] += 1
        try:
            lacking = await self._take(place, [(key, item[1]) for key, item in wanted.items()])
        except BaseException:
            self.give_back(place)
            raise
        if lacking is not None:
            self.give_back(place)
            raise _full(kind, *wanted[lacking])
        self._held.add(place.holder)
        self._keep()
        return place

    def give_back(self, place: Place) -> None:
        """Give a place back, which the database records soon."""
        self._numbers[place.kind.name] -= 1
        self._held.discard(place.holder)
        self._left.add(place.holder)
        self._changed.set()
        self._keep()

    async def aclose(self) -> None:
        """Give back all places."""
        while self._keeping is not None and not self._keeping.done():
            self._left |= self._held
            self._held.clear()
            self._changed.set()
            await self._keeping

    async def _take(self, place: Place, wanted: Sequence[tuple[str, int]]) -> str | None:
        """Take a place in each bucket, or return a bucket without a free one."""
        for pause in (*_PAUSES, None):
            await self._write_left()
            now = self._clock()
            async with self._database.reading() as db:
                taken = await take_places(db, place.holder, wanted, now, now + HELD_FOR)
            lacking = [bucket for bucket, _ in wanted if bucket not in taken]
            if not lacking:
                return None
            if pause is None:
                break
            if taken:
                async with self._database.reading() as db:
                    await delete_places(db, [place.holder])
            await asyncio.sleep(pause)
        return lacking[0]

    def _keep(self) -> None:
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep_until_idle(), name="places")

    async def _keep_until_idle(self) -> None:
        extended = time.monotonic()
        while self._held or self._left:
            self._changed.clear()
            try:
                await self._write_left()
                if time.monotonic() - extended >= EXTEND_SECONDS:
                    extended = time.monotonic()
                    await self._extend()
            except Exception as error:  # noqa: BLE001 - the database may be back in a moment
                _log.warning("places_not_written", error=type(error).__name__)
            if self._held:
                with suppress(TimeoutError):
                    async with asyncio.timeout(EXTEND_SECONDS):
                        await self._changed.wait()

    async def _extend(self) -> None:
        if held := list(self._held):
            async with self._database.reading() as db:
                await extend_places(db, held, self._clock() + HELD_FOR)

    async def _write_left(self) -> None:
        """Delete the places that were given back; after a failure, they expire."""
        async with self._writing:
            left, self._left = self._left, set()
            if left:
                async with self._database.reading() as db:
                    await delete_places(db, left)


def _full(kind: Kind, whose: str, limit: int) -> Refused:
    return Refused(
        ErrorCode.RATE_LIMITED,
        f"{whose} {limit:,} {kind.name} in progress, as many as are allowed at once. "
        f"Try again when one has ended.",
        retry_after=kind.retry_after,
    )

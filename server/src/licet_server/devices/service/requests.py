"""What applications requested of licenses lately: counted in memory, and stored in batches.

A request is counted once it is served, and waits for nothing. What a process has counted is lost
with it if it is killed; a process that stops stores it.
"""

import asyncio
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from contextvars import copy_context
from dataclasses import replace
from itertools import islice
from uuid import UUID

import structlog
from msgspec import structs
from prometheus_client import CollectorRegistry, Counter

from licet_server.devices.errors import LicenseDeleted
from licet_server.devices.rules.requests import (
    KEPT_FOR,
    MAX_ROWS,
    LicenseRequest,
    RequestKey,
    Seen,
)
from licet_server.devices.storage import requests as storage
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.outages import is_transaction_conflict
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.runtime import RequestNote
from licet_server.licenses.service import reading
from licet_server.licenses.service.holders import hold_customers_of

MAX_WAITING = 20_000
"""The most rows that wait in a process."""

_FLUSH_SECONDS = 2.0
_BATCH_ROWS = 250
"""How many rows are stored at once; requests that arrive meanwhile wait while they are prepared."""
_ATTEMPTS = 3
_DELETED_AT_ONCE = 1_000
_MAX_DELETIONS = 200

_log = structlog.get_logger("licet.requests")


class RequestMetrics:
    """Counts the requests that are missing in what is stored of their licenses."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._dropped = Counter(
            "licet_license_requests_dropped_total",
            "Requests that were not counted for their license: too many waited, or storing failed.",
            registry=registry,
        )

    def drop(self, requests: int) -> None:
        """Count requests that are not stored."""
        self._dropped.inc(requests)


class RequestLog:
    """Counts the requests of a process, and stores them two seconds after the first."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._metrics = platform.metrics.of(RequestMetrics)
        self._waiting: dict[RequestKey, Seen] = {}
        self._rows_of: Tally[UUID] = Tally()
        self._storing = asyncio.Lock()
        self._context = copy_context()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    async def aclose(self) -> None:
        """Store what was counted."""
        await self.flush()

    def count(self, note: RequestNote, route: str, status: str, ip_address: str) -> None:
        """Count a request by its note; `status` is that of a request without a verdict."""
        if note.license_id is None:
            return
        now = self._platform.clock()
        institution_id, license_id = note.license_id
        key = RequestKey(
            institution_id, license_id, note.hardware_id or "", route, note.status or status
        )
        seen = self._waiting.get(key)
        if seen is not None:
            seen.again(now, ip_address, note.device_name, note.app_version)
            return
        if len(self._waiting) >= MAX_WAITING or self._rows_of[license_id] >= MAX_ROWS:
            self._metrics.drop(1)
            return
        self._rows_of[license_id] += 1
        self._waiting[key] = Seen(1, now, now, ip_address, note.device_name, note.app_version)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            # Not in the context of the request, which is over by then.
            self._timer = loop.call_later(_FLUSH_SECONDS, self._start, context=self._context)

    async def list_requests(
        self, db: Connection, operator: Operator, license_id: UUID, paging: Paging
    ) -> Listing[LicenseRequest]:
        """List what was requested of a license, the latest first; store before what waits here.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        license_ = await reading.fetch_license(db, operator, license_id)
        await self.flush()
        if paging.sort is None:
            paging = replace(paging, sort="-lastSeenAt")
        ids = (license_.institution_id, license_.id)
        return await storage.list_requests(db, ids, paging, self._platform.clock())

    async def flush(self) -> None:
        """Store what was counted until now."""
        async with self._storing:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            waiting, self._waiting = self._waiting, {}
            self._rows_of.clear()
            for batch in _batches(waiting):
                await self._store(batch)

    def _start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self.flush(), name="request log")

    async def _store(self, batch: Sequence[LicenseRequest]) -> None:
        try:
            grown = await self._add(batch)
        except Exception as error:  # noqa: BLE001 - no request depends on it
            _log.warning("requests_not_stored", error=type(error).__name__, rows=len(batch))
            self._metrics.drop(sum(item.request_count for item in batch))
            return
        if grown:
            await self._trim(grown)

    async def _add(self, batch: Sequence[LicenseRequest]) -> list[LicenseId]:
        # Which licenses were deleted is looked up when the database has refused one of them.
        unsure: Sequence[LicenseRequest] = [item for item in batch if item.device_name is not None]
        for number in range(1, _ATTEMPTS + 1):
            try:
                async with self._platform.database.keyed_transaction() as db:
                    left = await _to_store(db, batch, unsure)
                    return await storage.add_requests(db, left) if left else []
            except Exception as error:
                # What was refused has been rolled back, so a retry adds nothing twice.
                is_passing = isinstance(error, LicenseDeleted) or is_transaction_conflict(error)
                if number == _ATTEMPTS or not is_passing:
                    raise
                unsure = batch
        return []

    async def _trim(self, license_ids: Sequence[LicenseId]) -> None:
        try:
            async with self._platform.database.relaxed() as db:
                await storage.delete_beyond(db, license_ids)
        except Exception as error:  # noqa: BLE001 - the next new row of these licenses trims them
            _log.warning("requests_not_trimmed", error=type(error).__name__)


async def _to_store(
    db: Connection, batch: Sequence[LicenseRequest], unsure: Sequence[LicenseRequest]
) -> Sequence[LicenseRequest]:
    """Leave out deleted licenses, and what a person who was erased had called their devices.

    Only licenses of requests that are `unsure` are looked up, in a fifth of the time that storing
    takes. A request may have waited here while they were erased; whoever erases them now waits.
    """
    if not unsure:
        return batch
    wanted = [(item.institution_id, item.license_id) for item in unsure]
    found = await hold_customers_of(db, wanted)
    deleted = {license_id for _, license_id in wanted} - found.keys()
    erased = {
        license_id for license_id, customer in found.items() if customer and customer.is_erased
    }
    return [
        structs.replace(item, device_name=None) if item.license_id in erased else item
        for item in batch
        if item.license_id not in deleted
    ]


def _batches(waiting: dict[RequestKey, Seen]) -> Iterator[list[LicenseRequest]]:
    """Yield a few rows at a time, each time in the order of their keys."""
    keys = iter(waiting)
    while batch := list(islice(keys, _BATCH_ROWS)):
        yield [_row(key, waiting[key]) for key in sorted(batch, key=_in_order)]


def _in_order(key: RequestKey) -> tuple[int, int, str, str, str]:
    """Return what sorts like the key; UUIDs compare themselves in Python, which takes longest."""
    institution_id, license_id, hardware_id, route, status = key
    return institution_id.int, license_id.int, hardware_id, route, status


def _row(key: RequestKey, seen: Seen) -> LicenseRequest:
    return LicenseRequest(
        institution_id=key.institution_id,
        id=new_id(seen.first_seen_at),
        license_id=key.license_id,
        hardware_id=key.hardware_id,
        route=key.route,
        status=key.status,
        device_name=seen.device_name,
        app_version=seen.app_version,
        ip_address=seen.ip_address,
        request_count=seen.count,
        first_seen_at=seen.first_seen_at,
        last_seen_at=seen.last_seen_at,
        last_day=seen.last_seen_at.date(),
    )


async def purge_requests(platform: Platform) -> int:
    """Delete what was requested 30 days ago and not again, a bounded number; return how many."""
    oldest = (platform.clock() - KEPT_FOR).date()
    total = 0
    for _ in range(_MAX_DELETIONS):
        async with platform.database.reading() as db:
            done = await storage.delete_before(db, oldest, _DELETED_AT_ONCE)
        total += done
        if done < _DELETED_AT_ONCE:
            break
    return total

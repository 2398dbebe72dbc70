"""Ingestion of telemetry, from many applications at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import DeviceKey
from licet_server.devices.service.lookup import find_devices, require_named
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.outages import is_transaction_conflict
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.telemetry.rules import (
    ProductId,
    ReportedEvent,
    Sent,
    TelemetryBatch,
    TelemetryEvent,
    device_hash,
    plausible,
    size_of,
    totals_of,
)
from licet_server.telemetry.storage import events as storage

MAX_REQUESTS = 32
"""Small enough that heartbeats, which share the connections, do not wait long for a batch."""

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class TelemetryRequest:
    """What an application sends, and the license and device that it names."""

    license_key: str | None
    hardware_id: str | None
    events: Sequence[ReportedEvent]
    credentials: Credentials = NO_CREDENTIALS


class Telemetry:
    """Requests that arrive at the same time share statements, whatever their products."""

    def __init__(self, platform: Platform, licenses: LicenseLookup, batching: Batching) -> None:
        self._platform = platform
        self._licenses = licenses
        # One statement at a time: two of a process would block each other on a product's tally.
        bounded = replace(batching, max_batch=min(batching.max_batch, MAX_REQUESTS))
        self._batches: Coalescing[TelemetryBatch, int] = bounded.serial(
            "telemetry", self._ingest, lambda batch: batch.product[0]
        )

    async def aclose(self) -> None:
        """Finish the accepted requests, then stop."""
        await self._batches.aclose()

    async def ingest(self, caller: ProductCaller, request: TelemetryRequest, origin: Origin) -> int:
        """Store the events of a request, all or none; return how many were stored.

        Events with an implausible time are dropped, and so are all events of a product that has
        used up the bytes of its day. The license may be revoked, suspended or
        expired: whether it is still in use is worth knowing.

        Raises:
            Refused: `LicenseNotFound`, `InvalidCredentials`, `InvalidRequest`, `DeviceBlocked`,
                `RateLimited`, `Unavailable`.
        """
        license_id = None
        if request.license_key is not None:
            license_ = await self._licenses.find(
                caller,
                request.license_key,
                request.hardware_id,
                origin.ip_address or "",
                request.credentials,
            )
            require_named(license_, request.hardware_id)
            license_id = license_.id
        return await self._batches.submit(
            TelemetryBatch(
                product=(caller.institution_id, caller.product_id),
                license_id=license_id,
                hardware_id=request.hardware_id,
                events=plausible(request.events, self._platform.clock()),
            )
        )

    async def _ingest(self, batches: Sequence[TelemetryBatch]) -> list[int | Refused]:
        now = self._platform.clock()
        blocked = await self._find_blocked(batches)
        refused: dict[int, Refused] = {
            index: device_errors.blocked()
            for index, item in enumerate(batches)
            if _device_key(item) in blocked
        }
        pending = [
            index for index, item in enumerate(batches) if item.events and index not in refused
        ]
        dropped = await self._find_over_budget(batches, pending, now)
        stored = [index for index in pending if index not in dropped]
        if stored:
            await self._store([batches[index] for index in stored], now)
        accepted = {index: len(batches[index].events) for index in stored}
        return [refused.get(index, accepted.get(index, 0)) for index in range(len(batches))]

    async def _find_blocked(self, batches: Sequence[TelemetryBatch]) -> set[DeviceKey | None]:
        keys = [key for item in batches if (key := _device_key(item)) is not None]
        if not keys:
            return set()
        async with self._platform.database.reading() as db:
            found = await find_devices(db, keys)
        return {key for key, device in found.items() if device.blocked_at is not None}

    async def _find_over_budget(
        self, batches: Sequence[TelemetryBatch], pending: Sequence[int], now: datetime
    ) -> set[int]:
        """Count what the pending batches send; return those that exceed a product's day.

        Bytes count even if they are dropped or cannot be stored.
        """
        sizes = {index: size_of(batches[index].events) for index in pending}
        events: Counter[ProductId] = Counter()
        size: Counter[ProductId] = Counter()
        for index in pending:
            events[batches[index].product] += len(batches[index].events)
            size[batches[index].product] += sizes[index]
        if not events:
            return set()
        sent = {product: Sent(events[product], size[product]) for product in events}
        async with self._platform.database.relaxed() as db:
            tallies = await storage.add_to_tallies(db, now.date(), sent)
        # Each batch counts on top of those before it, in this process and in others, so no two
        # batches use the same part of the budget.
        reached = {product: tallies[product] - size[product] for product in sent}
        over_budget = set()
        dropped: Counter[ProductId] = Counter()
        for index in pending:
            product = batches[index].product
            reached[product] += sizes[index]
            if reached[product] > self._platform.settings.telemetry_bytes_per_day:
                over_budget.add(index)
                dropped[product] += len(batches[index].events)
        if dropped:
            async with self._platform.database.relaxed() as db:
                await storage.count_dropped(db, now.date(), dropped)
        return over_budget

    async def _store(self, batches: Sequence[TelemetryBatch], now: datetime) -> None:
        events = [event for item in batches for event in _events(item, now)]
        totals = totals_of(events)
        for number in range(1, _ATTEMPTS + 1):
            try:
                async with self._platform.database.relaxed() as db:
                    await storage.insert_events(db, events, totals)
            except Exception as error:
                # A deadlock with another process was rolled back, so a retry is safe.
                if number == _ATTEMPTS or not is_transaction_conflict(error):
                    raise
            else:
                return


def _events(batch: TelemetryBatch, now: datetime) -> list[TelemetryEvent]:
    institution_id, product_id = batch.product
    device = device_hash(institution_id, batch.hardware_id)
    return [
        TelemetryEvent(
            institution_id=institution_id,
            id=new_id(now),
            product_id=product_id,
            license_id=batch.license_id,
            device=device,
            name=item.name,
            occurred_at=item.occurred_at,
            received_at=now,
            properties=item.properties,
        )
        for item in batch.events
    ]


def _device_key(batch: TelemetryBatch) -> DeviceKey | None:
    if batch.license_id is None or batch.hardware_id is None:
        return None
    return (batch.product[0], batch.license_id, batch.hardware_id)

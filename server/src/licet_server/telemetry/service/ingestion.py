"""Takes telemetry in, for many applications at once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from licet_server.catalog.rules.model import ProductCaller
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import DeviceKey
from licet_server.devices.service.lookup import find_devices
from licet_server.kit.coalesce import Batching, Coalescer
from licet_server.kit.database import concerns_one_item, met_head_on
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.service.lookup import LicenseLookup
from licet_server.telemetry import errors
from licet_server.telemetry.rules.intake import (
    EVENTS_A_DAY,
    believable,
    device_hash,
    seconds_of_the_day_left,
)
from licet_server.telemetry.rules.model import Event, Happening, Parcel, ProductId
from licet_server.telemetry.rules.sums import sum_up
from licet_server.telemetry.storage import events as storage

PARCELS_AT_ONCE = 32
"""Few enough that heartbeats, which use the same connections, do not wait long for a batch."""

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Delivery:
    """What an application sends, and what it says of itself."""

    license_key: str | None
    hardware_id: str | None
    happenings: Sequence[Happening]


class Telemetry:
    """Those who send at the same time share the statements, whatever their products."""

    def __init__(self, platform: Platform, licenses: LicenseLookup, batching: Batching) -> None:
        self._platform = platform
        self._licenses = licenses
        # One at a time: two of a process would wait for each other at the tally of a product.
        self._parcels: Coalescer[Parcel, int] = Coalescer(
            self._take_in,
            max_batch=min(batching.max_batch, PARCELS_AT_ONCE),
            bisects=concerns_one_item,
        )

    async def aclose(self) -> None:
        """Answer those who wait, then stop."""
        await self._parcels.aclose()

    async def take(self, caller: ProductCaller, delivery: Delivery, origin: Origin) -> int:
        """Store what happened, with all that came with it or not at all; answers how much.

        What cannot have happened when it says is left out. The license may be revoked, suspended
        or expired: how long it goes on being used is worth knowing.

        Raises:
            Refused: `LicenseNotFound`, `DeviceBlocked`, `RateLimited`, `Unavailable`.
        """
        license_id = None
        if delivery.license_key is not None:
            license_ = await self._licenses.find(
                caller.institution_id,
                caller.product_id,
                delivery.license_key,
                origin.ip_address or "",
            )
            license_id = license_.id
        return await self._parcels.submit(
            Parcel(
                (caller.institution_id, caller.product_id),
                license_id,
                delivery.hardware_id,
                believable(delivery.happenings, self._platform.clock()),
            )
        )

    async def _take_in(self, parcels: Sequence[Parcel]) -> list[int | Refused]:
        now = self._platform.clock()
        blocked = await self._find_blocked(parcels)
        refused: dict[int, Refused] = {
            place: device_errors.blocked()
            for place, item in enumerate(parcels)
            if _device_key(item) in blocked
        }
        sent = [
            place for place, item in enumerate(parcels) if item.happenings and place not in refused
        ]
        for place in await self._find_beyond(parcels, sent, now):
            left = seconds_of_the_day_left(now)
            refused[place] = errors.day_is_full(EVENTS_A_DAY, left)
        kept = [parcels[place] for place in sent if place not in refused]
        if kept:
            await self._store(kept, now)
        return [refused.get(place, len(item.happenings)) for place, item in enumerate(parcels)]

    async def _find_blocked(self, parcels: Sequence[Parcel]) -> set[DeviceKey | None]:
        keys = [key for item in parcels if (key := _device_key(item)) is not None]
        if not keys:
            return set()
        async with self._platform.database.reading() as db:
            found = await find_devices(db, keys)
        return {key for key, device in found.items() if device.blocked_at is not None}

    async def _find_beyond(
        self, parcels: Sequence[Parcel], sent: Sequence[int], now: datetime
    ) -> set[int]:
        """Count what these bring; answers which of them do not fit into their product's day.

        What is counted stays so, whatever becomes of it.
        """
        counts: Counter[ProductId] = Counter()
        for place in sent:
            counts[parcels[place].product] += len(parcels[place].happenings)
        if not counts:
            return set()
        async with self._platform.database.relaxed() as db:
            totals = await storage.add_to_tallies(db, now.date(), counts)
        # Each stands on those before him, here and in other processes, so that no two take the
        # same room.
        reached = {product: totals[product] - count for product, count in counts.items()}
        beyond = set()
        for place in sent:
            product = parcels[place].product
            reached[product] += len(parcels[place].happenings)
            if reached[product] > EVENTS_A_DAY:
                beyond.add(place)
        return beyond

    async def _store(self, parcels: Sequence[Parcel], now: datetime) -> None:
        rows = [row for item in parcels for row in _events(item, now)]
        sums = sum_up(rows)
        for number in range(1, _TRIES + 1):
            try:
                async with self._platform.database.relaxed() as db:
                    await storage.insert_events(db, rows, sums)
            except Exception as error:
                # Two processes met head-on; this one was rolled back and may go again.
                if number == _TRIES or not met_head_on(error):
                    raise
            else:
                return


def _events(parcel: Parcel, now: datetime) -> list[Event]:
    institution_id, product_id = parcel.product
    device = device_hash(institution_id, parcel.hardware_id)
    return [
        Event(
            institution_id,
            new_id(now),
            product_id,
            parcel.license_id,
            device,
            item.name,
            item.occurred_at,
            now,
            item.properties,
        )
        for item in parcel.happenings
    ]


def _device_key(parcel: Parcel) -> DeviceKey | None:
    if parcel.license_id is None or parcel.hardware_id is None:
        return None
    return (parcel.product[0], parcel.license_id, parcel.hardware_id)

"""Telemetry events and figures."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import msgspec

Value = str | bool | int | float
ProductId = tuple[UUID, UUID]
"""Institution and product."""


@dataclass(frozen=True, slots=True)
class ReportedEvent:
    """An event as an application reports it."""

    name: str
    occurred_at: datetime
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Sent:
    """How much a product sent on a day, dropped or not."""

    events: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryBatch:
    """The events of one request, with the license and device if it names them."""

    product: ProductId
    license_id: UUID | None
    hardware_id: str | None
    events: Sequence[ReportedEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryEvent:
    """An event as stored; `device` is a hash, and empty if no device was named."""

    institution_id: UUID
    id: UUID
    product_id: UUID
    license_id: UUID | None
    device: bytes
    name: str
    occurred_at: datetime
    received_at: datetime
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryFilter:
    """The filters of a list; the times are those at which events were received."""

    name: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class NameUsage:
    """How often an event was reported, and by how many devices."""

    name: str
    events: int
    devices: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryFigures:
    """The figures of a period, by UTC day and by name; days without events are omitted."""

    devices: int
    licenses: int
    dropped: int
    events_by_day: Mapping[date, int]
    devices_by_day: Mapping[date, int]
    names: Sequence[NameUsage]


MAX_AGE = timedelta(days=30)
MAX_AHEAD = timedelta(days=1)
EVENT_BYTES = 50
"""What an event counts besides its name and its properties."""

_HASH_BYTES = 16


def plausible(events: Sequence[ReportedEvent], now: datetime) -> list[ReportedEvent]:
    """Return the events whose time is plausible, in UTC: not too old, hardly ahead."""
    return [
        replace(item, occurred_at=item.occurred_at.astimezone(UTC))
        for item in events
        if now - MAX_AGE <= item.occurred_at <= now + MAX_AHEAD
    ]


def device_hash(institution_id: UUID, hardware_id: str | None) -> bytes:
    """Hash a device in an institution; empty without a hardware ID.

    Half of a SHA-256 is enough to avoid collisions.
    """
    if hardware_id is None:
        return b""
    return hashlib.sha256(institution_id.bytes + hardware_id.encode()).digest()[:_HASH_BYTES]


def size_of(events: Sequence[ReportedEvent]) -> int:
    """Return what the events count in a product's day, in bytes of UTF-8 and JSON."""
    return sum(
        EVENT_BYTES + len(item.name.encode()) + len(msgspec.json.encode(item.properties))
        for item in events
    )


NO_LICENSE = UUID(int=0)
"""Used in keys for events without a license."""

NameDay = tuple[UUID, UUID, date, str]
"""Institution, product, day, name."""

DeviceMonth = tuple[UUID, UUID, date, str, bytes, UUID]
"""Institution, product, first of the month, name, device, license."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The additions to the totals, each sorted by its key."""

    name_days: Sequence[tuple[NameDay, int]]
    device_months: Sequence[tuple[DeviceMonth, int]]


def totals_of(events: Sequence[TelemetryEvent]) -> Totals:
    name_days: Counter[NameDay] = Counter()
    device_months: defaultdict[DeviceMonth, int] = defaultdict(int)
    for item in events:
        day = item.occurred_at.date()
        name_days[item.institution_id, item.product_id, day, item.name] += 1
        month = (item.institution_id, item.product_id, day.replace(day=1), item.name)
        key = (*month, item.device, item.license_id or NO_LICENSE)
        device_months[key] |= bit_of(day)
    return Totals(sorted(name_days.items()), sorted(device_months.items()))


def bit_of(day: date) -> int:
    """Return the bit of a day in its month."""
    return 1 << (day.day - 1)


def months_of(first: date, last: date) -> list[tuple[date, int]]:
    """Return the months from `first` to `last`, each with the bits of its days in that period."""
    bits: defaultdict[date, int] = defaultdict(int)
    for n in range((last - first).days + 1):
        day = first + timedelta(days=n)
        bits[day.replace(day=1)] |= bit_of(day)
    return list(bits.items())


def bits_from(day: date) -> int:
    """Return the bits of a day and of the later days of its month."""
    return sum(1 << n for n in range(day.day - 1, 31))

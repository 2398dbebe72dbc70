"""Telemetry events and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

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

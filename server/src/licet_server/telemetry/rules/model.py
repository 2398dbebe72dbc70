"""What telemetry is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

Value = str | bool | int | float
ProductId = tuple[UUID, UUID]
"""Institution and product."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that an application tells of: what, and when."""

    name: str
    occurred_at: datetime
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one request brought: from whom, as far as he said so, and what happened."""

    product: ProductId
    license_id: UUID | None
    hardware_id: str | None
    happenings: Sequence[Happening]


@dataclass(frozen=True, slots=True)
class Event:
    """A happening as it is stored; `device` tells devices apart and is empty where none was named.

    The order of the fields is that of the columns.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID
    license_id: UUID | None
    device: bytes
    name: str
    occurred_at: datetime
    received_at: datetime
    properties: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class EventFilter:
    """What a list is narrowed to; the times are those at which events came in."""

    name: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class NameUse:
    """How often an event happened, and on how many devices."""

    name: str
    events: int
    devices: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What happened in a period, by UTC day and by name; days without anything are absent."""

    devices: int
    licenses: int
    events_by_day: Mapping[date, int]
    devices_by_day: Mapping[date, int]
    names: Sequence[NameUse]

"""The sums that figures are read from.

Of each month it is kept which device sent which event on which of its days, as bits: bit 0 is the
first. That is small where the same happens day by day, and lets devices be counted once over any
days.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from licet_server.telemetry.rules.model import Event

NO_LICENSE = UUID(int=0)
"""Stands in keys for events that came without a license."""

NameDay = tuple[UUID, UUID, date, str]
"""Institution, product, day, name."""

DeviceMonth = tuple[UUID, UUID, date, str, bytes, UUID]
"""Institution, product, first of the month, name, device, license."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What events add to the sums, each in the order of its key."""

    name_days: Sequence[tuple[NameDay, int]]
    device_months: Sequence[tuple[DeviceMonth, int]]


def sum_up(events: Sequence[Event]) -> Sums:
    """The sums of these events alone."""
    name_days: Counter[NameDay] = Counter()
    device_months: defaultdict[DeviceMonth, int] = defaultdict(int)
    for item in events:
        day = item.occurred_at.date()
        name_days[item.institution_id, item.product_id, day, item.name] += 1
        month = (item.institution_id, item.product_id, day.replace(day=1), item.name)
        key = (*month, item.device, item.license_id or NO_LICENSE)
        device_months[key] |= bit_of(day)
    return Sums(sorted(name_days.items()), sorted(device_months.items()))


def bit_of(day: date) -> int:
    """The day in the bits of its month."""
    return 1 << (day.day - 1)


def months_of(first: date, last: date) -> list[tuple[date, int]]:
    """The months that these days lie in, with the bits of the days."""
    bits: defaultdict[date, int] = defaultdict(int)
    for n in range((last - first).days + 1):
        day = first + timedelta(days=n)
        bits[day.replace(day=1)] |= bit_of(day)
    return list(bits.items())


def bits_from(day: date) -> int:
    """The bits of the day and of those after it in its month."""
    return sum(1 << n for n in range(day.day - 1, 31))

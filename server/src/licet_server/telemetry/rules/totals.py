"""The totals that figures are computed from.

For each month, device and event, a bit set records the days on which the device reported the event;
bit 0 is the first day. This stays small for daily use, and counts a device once over any days.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from licet_server.telemetry.rules.model import TelemetryEvent

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
    """Return the totals of these events."""
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

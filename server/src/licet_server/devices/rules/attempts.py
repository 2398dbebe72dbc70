"""Turns tries of foreign machines into access attempts: one row a machine, one alert a day."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.model import AccessAttempt, DeviceKey, EntryPoint
from licet_server.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class Try:
    """One foreign machine, once."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    hardware_id: str
    bound_hardware_id: str
    entry_point: EntryPoint
    ip_address: str

    @property
    def key(self) -> DeviceKey:
        """Which machine tried which license."""
        return (self.institution_id, self.license_id, self.hardware_id)


@dataclass(slots=True)
class Sorted:
    """What is to be stored: machines that came before, new ones, and how many had no room.

    `alerts` are those of both whose owner has not been told today.
    """

    again: list[AccessAttempt] = field(default_factory=list)
    new: list[AccessAttempt] = field(default_factory=list)
    alerts: list[AccessAttempt] = field(default_factory=list)
    uncounted: Counter[UUID] = field(default_factory=Counter)


def sort_out(
    tries: Sequence[Try],
    known: Mapping[DeviceKey, AccessAttempt],
    room: Mapping[UUID, int],
    now: datetime,
) -> Sorted:
    """Fold the tries of each machine into its attempt; `room` is for new rows, by license."""
    left = dict(room)
    result = Sorted()
    counts = Counter(item.key for item in tries)
    for key, last in {item.key: item for item in tries}.items():
        before = known.get(key)
        if before is not None:
            after = _once_more(before, last, counts[key], now)
            result.again.append(after)
            if after.alerted_on != before.alerted_on:
                result.alerts.append(after)
        elif left[last.license_id] > 0:
            left[last.license_id] -= 1
            made = _first(last, counts[key], now)
            result.new.append(made)
            result.alerts.append(made)
        else:
            result.uncounted[last.license_id] += counts[key]
    return result


def _once_more(before: AccessAttempt, last: Try, count: int, now: datetime) -> AccessAttempt:
    return replace(
        before,
        bound_hardware_id=last.bound_hardware_id,
        ip_address=last.ip_address,
        entry_point=last.entry_point,
        attempt_count=before.attempt_count + count,
        last_seen_at=max(now, before.last_seen_at),
        alerted_on=max(now.date(), before.alerted_on),
    )


def _first(last: Try, count: int, now: datetime) -> AccessAttempt:
    return AccessAttempt(
        institution_id=last.institution_id,
        id=new_id(now),
        license_id=last.license_id,
        product_id=last.product_id,
        attempted_hardware_id=last.hardware_id,
        bound_hardware_id=last.bound_hardware_id,
        ip_address=last.ip_address,
        entry_point=last.entry_point,
        attempt_count=count,
        first_seen_at=now,
        last_seen_at=now,
        alerted_on=now.date(),
        reviewed_at=None,
    )

"""Merging of denials into access attempts: one row and at most one alert a day per device.

IDs of new attempts are passed in, so that the decision is pure.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from licet_server.devices.rules.model import AccessAttempt, DeviceKey, EntryPoint
from licet_server.kit.amounts import MAX_NUMBER


@dataclass(frozen=True, slots=True)
class Denial:
    """One denied use of a node-locked license by a device it is not bound to."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    hardware_id: str
    bound_hardware_id: str
    entry_point: EntryPoint
    ip_address: str

    @property
    def key(self) -> DeviceKey:
        """The device and the license it was denied."""
        return (self.institution_id, self.license_id, self.hardware_id)


@dataclass(slots=True)
class AttemptChanges:
    """What to store: updated and new attempts, and how many denials exceeded the daily limit.

    `alerts` are the updated and new attempts that today's alert has not been sent for. `uncounted`
    is by license ID.
    """

    updated: list[AccessAttempt] = field(default_factory=list)
    new: list[AccessAttempt] = field(default_factory=list)
    alerts: list[AccessAttempt] = field(default_factory=list)
    uncounted: Counter[UUID] = field(default_factory=Counter)


def merge_denials(
    denials: Sequence[Denial],
    *,
    known: Mapping[DeviceKey, AccessAttempt],
    rows_left: Mapping[UUID, int],
    now: datetime,
    new_id: Callable[[datetime], UUID],
) -> AttemptChanges:
    """Merge the denials of each device into its attempt.

    `rows_left` is how many new attempts may still be stored today, by license ID.
    """
    left = dict(rows_left)
    changes = AttemptChanges()
    counts = Counter(item.key for item in denials)
    for key, latest in {item.key: item for item in denials}.items():
        before = known.get(key)
        if before is not None:
            after = _repeated(before, latest, counts[key], now)
            changes.updated.append(after)
            if after.alerted_on != before.alerted_on:
                changes.alerts.append(after)
        elif left[latest.license_id] > 0:
            left[latest.license_id] -= 1
            created = _first(new_id(now), latest, counts[key], now)
            changes.new.append(created)
            changes.alerts.append(created)
        else:
            changes.uncounted[latest.license_id] += counts[key]
    return changes


def _repeated(before: AccessAttempt, latest: Denial, count: int, now: datetime) -> AccessAttempt:
    return replace(
        before,
        bound_hardware_id=latest.bound_hardware_id,
        ip_address=latest.ip_address,
        entry_point=latest.entry_point,
        attempt_count=min(before.attempt_count + count, MAX_NUMBER),
        last_seen_at=max(now, before.last_seen_at),
        alerted_on=max(now.date(), before.alerted_on),
    )


def _first(attempt_id: UUID, latest: Denial, count: int, now: datetime) -> AccessAttempt:
    return AccessAttempt(
        institution_id=latest.institution_id,
        id=attempt_id,
        license_id=latest.license_id,
        product_id=latest.product_id,
        attempted_hardware_id=latest.hardware_id,
        bound_hardware_id=latest.bound_hardware_id,
        ip_address=latest.ip_address,
        entry_point=latest.entry_point,
        attempt_count=count,
        first_seen_at=now,
        last_seen_at=now,
        alerted_on=now.date(),
        reviewed_at=None,
    )

"""What is taken in, and under which hash a device is counted."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from licet_server.telemetry.rules.model import Happening

OLDEST = timedelta(days=30)
FURTHEST_AHEAD = timedelta(days=1)
EVENTS_A_DAY = 2_000_000

_HASH_BYTES = 16


def believable(happenings: Sequence[Happening], now: datetime) -> list[Happening]:
    """Those whose time may be right, in UTC: not long ago, and not ahead but by a wrong clock."""
    return [
        Happening(item.name, item.occurred_at.astimezone(UTC), item.properties)
        for item in happenings
        if now - OLDEST <= item.occurred_at <= now + FURTHEST_AHEAD
    ]


def device_hash(institution_id: UUID, hardware_id: str | None) -> bytes:
    """What stands for a device in one institution; empty for none.

    The first half of a SHA-256 is enough to tell any number of devices apart.
    """
    if hardware_id is None:
        return b""
    return hashlib.sha256(institution_id.bytes + hardware_id.encode()).digest()[:_HASH_BYTES]


def seconds_of_the_day_left(now: datetime) -> int:
    """How long until the next UTC day, rounded up."""
    tomorrow = datetime.combine(now.date(), time(), UTC) + timedelta(days=1)
    return -((now - tomorrow) // timedelta(seconds=1))

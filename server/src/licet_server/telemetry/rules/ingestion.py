"""Plausibility and size of telemetry events, and the hash of a device."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import msgspec

from licet_server.telemetry.rules.model import ReportedEvent

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

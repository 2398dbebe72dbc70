"""Identifiers: UUIDv7 (RFC 9562), so that the order of ids is the order of creation."""

from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7


def new_id(now: datetime) -> UUID:
    """A fresh UUIDv7 for the instant `now`."""
    return uuid7(nanoseconds=int(now.timestamp() * 1_000_000) * 1000)

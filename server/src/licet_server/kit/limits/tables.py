"""The limits of institutions, the counters by bucket and period, and the places that are held.

Counters and places are unlogged: a crash resets them, which is harmless.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
)

from licet_server.kit.database import GLOBAL, Id, Instant, String, metadata

rate_limits = Table(
    "rate_limits",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("runtime", Integer),
    Column("api_key", Integer),
    PrimaryKeyConstraint("institution_id"),
    CheckConstraint("runtime BETWEEN 1 AND 1000000", name="runtime"),
    CheckConstraint("api_key BETWEEN 1 AND 1000000", name="api_key"),
)
"""Requests per minute allowed to each product key and each API key of an institution; null, or no
row, means unlimited."""

rate_counters = Table(
    "rate_counters",
    metadata,
    Column("bucket", String, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("bucket", "ends_at"),
    Index("rate_counters_ends_at_idx", "ends_at"),
    prefixes=["UNLOGGED"],
    info=GLOBAL,
)

held_places = Table(
    "held_places",
    metadata,
    Column("bucket", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("holder", Id, nullable=False),
    Column("held_until", Instant, nullable=False),
    PrimaryKeyConstraint("bucket", "number"),
    Index("held_places_holder_idx", "holder"),
    Index("held_places_held_until_idx", "held_until"),
    prefixes=["UNLOGGED"],
    info=GLOBAL,
)
"""One row for each number from 1 to the limit of a bucket, so no more can be held."""

"""Counters per bucket and period. Unlogged: a crash forgets them, which harms nobody."""

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table

from licet_server.kit.database import GLOBAL, Instant, String, metadata

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

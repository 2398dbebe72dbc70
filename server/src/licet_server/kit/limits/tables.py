"""Counters per bucket and minute. Unlogged: a crash forgets them, which harms nobody."""

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table

from licet_server.kit.database import GLOBAL, Instant, String, metadata

rate_counters = Table(
    "rate_counters",
    metadata,
    Column("bucket", String, nullable=False),
    Column("minute", Instant, nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("bucket", "minute"),
    Index("rate_counters_minute_idx", "minute"),
    prefixes=["UNLOGGED"],
    info=GLOBAL,
)

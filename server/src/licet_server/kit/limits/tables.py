"""What institutions limit, and counters per bucket and period.

The counters are unlogged: a crash forgets them, which harms nobody.
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

from licet_server.kit.database import GLOBAL, Instant, String, metadata

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
"""Requests a minute that each product key and each API key of an institution may make; null, or no
row, is as many as they like."""

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

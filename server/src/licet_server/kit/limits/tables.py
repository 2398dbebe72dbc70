"""The limits of institutions, and the counters by bucket and period.

The counters are unlogged: a crash resets them, which is harmless.
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

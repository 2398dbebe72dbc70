"""One row per caller, route and key; written in the transaction of the request's change."""

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table

from licet_server.kit.database import GLOBAL, Bytes, Instant, String, metadata

idempotency_records = Table(
    "idempotency_records",
    metadata,
    Column("caller", String, nullable=False),
    Column("route", String, nullable=False),
    Column("key", String, nullable=False),
    Column("body_hash", Bytes, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("status", Integer),
    Column("answer", Bytes),
    PrimaryKeyConstraint("caller", "route", "key"),
    Index(None, "created_at"),
    info=GLOBAL,
)

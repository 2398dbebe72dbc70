"""The tables of events: a row per event, and when each rate-limited topic was last recorded.

An event never changes, except for two marks that it receives once: that it was dispatched to its
subscribers, and its place in the chain of the audit log.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    Table,
    text,
)

from licet_server.kit.database import Bytes, Id, Instant, Json, String, metadata

events = Table(
    "events",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("occurred_at", Instant, nullable=False),
    Column("subject_id", Id, nullable=False),
    Column("subject_name", String),
    Column("license_id", Id),
    Column("product_id", Id),
    Column("data", Json, nullable=False),
    Column("changes", Json),
    Column("actor_kind", String, nullable=False),
    Column("actor_id", Id),
    Column("actor_name", String),
    Column("ip_address", String),
    Column("request_id", String),
    Column("dispatched", Boolean, nullable=False, server_default=text("false")),
    Column("seal_number", BigInteger),
    Column("seal", Bytes),
    PrimaryKeyConstraint("institution_id", "id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    Index("events_undispatched_idx", "id", postgresql_where=text("NOT dispatched")),
    Index("events_subject_idx", "institution_id", "subject_id", "id"),
    CheckConstraint("(seal_number IS NULL) = (seal IS NULL)", name="seal"),
    Index(
        "events_license_idx",
        "institution_id",
        "license_id",
        "id",
        postgresql_where=text("license_id IS NOT NULL"),
    ),
    Index("events_kind_idx", "institution_id", "kind", "occurred_at"),
    Index(
        "events_product_idx",
        "institution_id",
        "product_id",
        "occurred_at",
        "id",
        postgresql_where=text("product_id IS NOT NULL"),
    ),
    Index(
        "events_unsealed_idx", "institution_id", "id", postgresql_where=text("seal_number IS NULL")
    ),
    Index(
        "events_seal_key",
        "institution_id",
        "seal_number",
        unique=True,
        postgresql_where=text("seal_number IS NOT NULL"),
    ),
)

event_topics = Table(
    "event_topics",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("topic", String, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "topic"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)

"""One row an event, kept in the order of its UUIDv7."""

from sqlalchemy import Column, ForeignKeyConstraint, Index, PrimaryKeyConstraint, Table

from licet_server.kit.database import Id, Instant, Json, String, metadata

events = Table(
    "events",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("occurred_at", Instant, nullable=False),
    Column("subject_id", Id, nullable=False),
    Column("product_id", Id),
    Column("data", Json, nullable=False),
    Column("changes", Json),
    Column("actor_kind", String, nullable=False),
    Column("actor_id", Id),
    Column("actor_name", String),
    Column("ip_address", String),
    Column("request_id", String),
    PrimaryKeyConstraint("institution_id", "id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    Index("events_subject_idx", "institution_id", "subject_id", "id"),
)

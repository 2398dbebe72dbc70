"""The tables of notifications: those that users received, and the channels they chose."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from licet_server.kit.database import GLOBAL, Id, Instant, Json, String, metadata

notifications = Table(
    "notifications",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("event_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("title", String, nullable=False),
    Column("body", String, nullable=False),
    Column("facts", Json),
    Column("product_id", Id),
    Column("subject_id", Id, nullable=False),
    Column("subject_kind", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("read_at", Instant),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id", "user_id", "event_id"),
    Index("notifications_user_idx", "user_id", "id"),
    Index("notifications_unread_idx", "user_id", "id", postgresql_where=text("read_at IS NULL")),
    Index("notifications_created_at_idx", "created_at"),
)

notification_preferences = Table(
    "notification_preferences",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String, nullable=False),
    Column("in_app", Boolean),
    Column("email", Boolean),
    PrimaryKeyConstraint("user_id", "kind"),
    CheckConstraint("in_app IS NOT NULL OR email IS NOT NULL", name="chosen"),
    info=GLOBAL,
)
"""The choices of users, for all of their institutions; null is the default of a channel."""

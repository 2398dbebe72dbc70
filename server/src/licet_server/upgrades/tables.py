"""The last check of the feed, and the newer release that it named: one row for the instance."""

from sqlalchemy import Boolean, CheckConstraint, Column, Table, text

from licet_server.kit.database import GLOBAL, Instant, String, metadata

upgrade_check = Table(
    "upgrade_check",
    metadata,
    Column("is_only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("checked_at", Instant, nullable=False),
    Column("version", String),
    Column("released_at", Instant),
    Column("notes_url", String),
    CheckConstraint("is_only_row", name="is_only_row"),
    CheckConstraint("(version IS NULL) = (notes_url IS NULL)", name="release"),
    info=GLOBAL,
)

"""The newer release that the feed named at the last check: one row for the instance."""

from sqlalchemy import Boolean, CheckConstraint, Column, Table, text

from licet_server.kit.database import GLOBAL, Instant, String, metadata

available_upgrade = Table(
    "available_upgrade",
    metadata,
    Column("is_only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("version", String, nullable=False),
    Column("released_at", Instant),
    Column("notes_url", String, nullable=False),
    CheckConstraint("is_only_row", name="is_only_row"),
    info=GLOBAL,
)

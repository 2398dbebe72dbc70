"""A known value, sealed under the master key of the database: one row for the instance."""

from sqlalchemy import Boolean, CheckConstraint, Column, Table, text

from licet_server.kit.database import GLOBAL, Bytes, metadata

master_key_canary = Table(
    "master_key_canary",
    metadata,
    Column("is_only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("sealed", Bytes, nullable=False),
    CheckConstraint("is_only_row", name="is_only_row"),
    info=GLOBAL,
)

"""The table of saved views."""

from sqlalchemy import (
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Table,
    func,
)

from licet_server.kit.database import Instant, String, metadata, own_key
from licet_server.kit.stored_json import JsonOf

saved_views = Table(
    "saved_views",
    metadata,
    *own_key(),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("list_kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("filters", JsonOf(dict[str, str | list[str]]), nullable=False),
    Column("columns", JsonOf(list[str] | None)),
    Column("sort", String),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)
Index(
    "saved_views_name_key",
    saved_views.c.institution_id,
    saved_views.c.user_id,
    saved_views.c.list_kind,
    func.lower(saved_views.c.name),
    unique=True,
    postgresql_nulls_not_distinct=True,
)
"""Shared views have no user.

Others end with the account, not with the membership: system Admins have none, and members who
come back find theirs again.
"""

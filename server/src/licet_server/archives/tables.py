"""The tables of archives: a row per archive, and the last number of each kind.

Neither refers to institutions: the archives of their events outlive them.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from licet_server.kit.database import Bytes, Id, Instant, String, metadata

archives = Table(
    "archives",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", Bytes, nullable=False),
    Column("first_at", Instant, nullable=False),
    Column("last_at", Instant, nullable=False),
    Column("first_number", BigInteger),
    Column("last_number", BigInteger),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id", "kind", "number"),
)

archive_heads = Table(
    "archive_heads",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("number", Integer, nullable=False),
    PrimaryKeyConstraint("institution_id", "kind"),
)
"""Locked while an archive is created, so that processes do not create the same one."""

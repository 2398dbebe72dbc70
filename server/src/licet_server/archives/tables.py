"""The tables of archives: a row per archive, the last number of each kind, and erasures that wait.

None refers to institutions: the archives of their events outlive them.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from licet_server.kit.database import SEALED, Bytes, Id, Instant, String, metadata, own_key

archives = Table(
    "archives",
    metadata,
    *own_key(),
    Column("kind", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", Bytes, nullable=False),
    Column("first_at", Instant, nullable=False),
    Column("last_at", Instant, nullable=False),
    Column("first_number", BigInteger),
    Column("last_number", BigInteger),
    Column("replaced_id", Id),
    Column("replaced_size", BigInteger),
    UniqueConstraint("institution_id", "kind", "number"),
    CheckConstraint("(replaced_id IS NULL) = (replaced_size IS NULL)", name="replaced"),
)
"""`replaced_id` and `replaced_size` are those of a file that this one has replaced, until that is
deleted."""

archive_heads = Table(
    "archive_heads",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("number", Integer, nullable=False),
    PrimaryKeyConstraint("institution_id", "kind"),
)
"""Locked while an archive is created, so that processes do not create the same one."""

erasures = Table(
    "erasures",
    metadata,
    *own_key(),
    Column("traces", Bytes, nullable=False, info=SEALED),
    Column("created_at", Instant, nullable=False),
)
"""Erasures that are done in the tables and pending in archives, each deleted once it is done there.
`traces` is encrypted, so that nothing in the database identifies the person meanwhile."""

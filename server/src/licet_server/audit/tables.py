"""The head of each institution's chain."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from licet_server.kit.database import SEALED, Bytes, Id, Instant, metadata

audit_chains = Table(
    "audit_chains",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("secret", Bytes, nullable=False, info=SEALED),
    Column("number", BigInteger, nullable=False),
    Column("seal", Bytes, nullable=False),
    Column("mark", Bytes, nullable=False),
    Column("sealed_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)
"""`number` and `seal` are those of the last event in the chain. `mark` is a MAC of the two, so that
nobody can move the head back without knowing the secret."""

"""The tables of events: a row per event, the head of each chain, and the rate-limited topics.

An event never changes, except for two marks that it receives once: that it was dispatched to its
subscribers, and its place in the chain of the audit log. What it says of a person can be erased;
`erasure` keeps what its seal covers of that. Events and chains outlive their
institution, so that deleting it destroys no evidence. Old ones move to archives. Events that are
not `permanent` are in no chain and are deleted after a week.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from licet_server.kit.database import (
    FREQUENT_VACUUM,
    SEALED,
    Bytes,
    Id,
    Instant,
    Json,
    String,
    metadata,
    own_key,
)
from licet_server.kit.routing import ONE_OF_EACH

events = Table(
    "events",
    metadata,
    *own_key(),
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
    Column("permanent", Boolean, nullable=False, server_default=text("true")),
    Column("seal_number", BigInteger),
    Column("seal", Bytes),
    Column("salt", Bytes),
    Column("erasure", Json),
    Index("events_undispatched_idx", "id", postgresql_where=text("NOT dispatched")),
    Index("events_subject_idx", "institution_id", "subject_id", "id"),
    CheckConstraint("(seal_number IS NULL) = (seal IS NULL)", name="seal"),
    CheckConstraint("salt IS NULL OR erasure IS NULL", name="erasure"),
    CheckConstraint("permanent OR seal_number IS NULL", name="permanent"),
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
        "events_unsealed_idx",
        "institution_id",
        "id",
        postgresql_where=text("seal_number IS NULL AND permanent"),
    ),
    Index(
        "events_transient_idx",
        "institution_id",
        "license_id",
        "occurred_at",
        postgresql_where=text("NOT permanent"),
    ),
    Index(
        "events_seal_key",
        "institution_id",
        "seal_number",
        unique=True,
        postgresql_where=text("seal_number IS NOT NULL"),
    ),
    postgresql_with=FREQUENT_VACUUM,
)

event_days = Table(
    "event_days",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    PrimaryKeyConstraint("institution_id", "day", "product_id", "kind"),
)
"""How many events of each UTC day are in archives, for statistics, without those that were taken
back. Those of no product have zeros in place of its ID."""

event_topics = Table(
    "event_topics",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("topic", String, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "topic"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)

audit_chains = Table(
    "audit_chains",
    metadata,
    *own_key(),
    Column("secret", Bytes, nullable=False, info=SEALED),
    Column("number", BigInteger, nullable=False),
    Column("seal", Bytes, nullable=False),
    Column("mark", Bytes, nullable=False),
    Column("sealed_at", Instant, nullable=False),
    Column("anchored", BigInteger, nullable=False, server_default=text("0")),
    UniqueConstraint("institution_id"),
    info=ONE_OF_EACH,
)
"""`number` and `seal` are those of the last event in the chain. `mark` is a MAC of the two, so that
nobody can move the head back without knowing the secret. `anchored` is the number of the last head
that was written outside the database."""

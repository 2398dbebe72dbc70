"""The table of leases."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, UniqueConstraint, text

from licet_server.kit.database import (
    ABOUT_HOLDER,
    Amount,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
)
from licet_server.kit.stored_json import JsonOf

leases = Table(
    "leases",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("jkt", String, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("device_name", String, info=personal()),
    Column("license_key_hash", String, nullable=False),
    Column("session_id", Id),
    Column("quantity", Amount, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("issued_at", Instant, nullable=False),
    Column("signed_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("issue_key", String, nullable=False),
    Column("issue_days", Integer, nullable=False),
    Column("renewal_key", String),
    Column("renewal_days", Integer),
    Column("recalled_at", Instant),
    Column("forked_at", Instant),
    Column("acknowledged_at", Instant),
    Column("ended_at", Instant),
    Column("end_reason", String),
    Column("prices", JsonOf(dict[str, str] | None)),
    Column("spent", Amount, nullable=False, server_default="0"),
    Column("refunded", Amount, nullable=False, server_default="0"),
    Column("settled", Integer, nullable=False, server_default="0"),
    Column("settled_head", String),
    Column("last_report_at", Instant),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint("institution_id", "license_id", "jkt", "issue_key", name="leases_issue_key"),
    CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="end_reason"),
    CheckConstraint("seq >= 1 AND quantity > 0", name="seq"),
    CheckConstraint("(kind = 'Seat') = (session_id IS NOT NULL)", name="session"),
    CheckConstraint(
        "spent >= 0 AND refunded >= 0 AND spent + refunded <= quantity AND settled >= 0",
        name="spent",
    ),
    Index(
        "leases_open_key",
        "institution_id",
        "license_id",
        "jkt",
        "kind",
        unique=True,
        postgresql_where=text("ended_at IS NULL AND forked_at IS NULL"),
    ),
    Index("leases_license_idx", "institution_id", "license_id", "id"),
    Index(
        "leases_held_idx",
        "institution_id",
        "license_id",
        postgresql_where=text("ended_at IS NULL"),
    ),
    Index("leases_ends_at_idx", "ends_at", postgresql_where=text("ended_at IS NULL")),
    info=ABOUT_HOLDER,
)
"""What devices took away. While a seat is held, a slot of the license's sessions has the ID of its
lease. Of credits, `quantity - spent` is held in the wallet until the end."""

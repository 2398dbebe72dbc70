"""Templates of emails, and the emails about licenses."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Table,
    func,
)

from licet_server.kit.database import Id, Instant, String, belongs_to, metadata, own_key, personal
from licet_server.kit.stored_json import JsonOf
from licet_server.kit.text import ERASED_ADDRESS

mail_templates = Table(
    "mail_templates",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("product_id", Id),
    Column("kind", String, nullable=False),
    Column("automatic", Boolean),
    Column("sender_name", String),
    Column("reply_to", String),
    Column("default_locale", String),
    Column("translations", JsonOf(dict[str, dict[str, str]]), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "id"),
    belongs_to("product_id", "products.id"),
    Index(
        "mail_templates_kind_key",
        "institution_id",
        "product_id",
        "kind",
        unique=True,
        postgresql_nulls_not_distinct=True,
    ),
)
"""Without a product, a template is the default of its institution."""

license_mails = Table(
    "license_mails",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("kind", String, nullable=False),
    Column("recipient", String, nullable=False, info=personal(ERASED_ADDRESS)),
    Column("locale", String, nullable=False, info=personal("und")),
    Column("status", String, nullable=False),
    Column("error", String),
    Column("created_at", Instant, nullable=False),
    Column("sent_at", Instant),
    belongs_to("license_id", "licenses.id"),
    CheckConstraint("status IN ('Queued', 'Sent', 'Failed')", name="status"),
    Index("license_mails_license_idx", "institution_id", "license_id", "id"),
    Index("license_mails_status_idx", "institution_id", "status", "id"),
)
"""The ID of a row is that of its email in the outbox, which reports its outcomes."""
Index(
    "license_mails_recipient_idx",
    license_mails.c.institution_id,
    func.lower(license_mails.c.recipient),
    license_mails.c.created_at,
)

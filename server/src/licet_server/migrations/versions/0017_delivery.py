"""Templates of e-mails, e-mails about licenses, and the languages of customers.

Revision ID: 0017_delivery
Revises: 0016_terms
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017_delivery"
down_revision = "0016_terms"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("customers", sa.Column("locale", sa.Text(), nullable=True))
    op.add_column("mails", sa.Column("vendor_id", sa.Uuid(), nullable=True))
    op.create_table(
        "mail_templates",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=True),
        sa.Column("sender_name", sa.Text(), nullable=True),
        sa.Column("reply_to", sa.Text(), nullable=True),
        sa.Column("default_locale", sa.Text(), nullable=True),
        sa.Column("translations", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("mail_templates_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("mail_templates_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("mail_templates_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "mail_templates_kind_key",
        "mail_templates",
        ["institution_id", "product_id", "kind"],
        unique=True,
        postgresql_nulls_not_distinct=True,
    )
    op.create_table(
        "license_mails",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("license_mails_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("license_mails_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "status IN ('Queued', 'Sent', 'Failed')", name=op.f("license_mails_status_check")
        ),
    )
    op.create_index(
        "license_mails_license_idx", "license_mails", ["institution_id", "license_id", "id"]
    )
    op.create_index("license_mails_status_idx", "license_mails", ["institution_id", "status", "id"])
    op.create_index(
        "license_mails_recipient_idx",
        "license_mails",
        ["institution_id", sa.literal_column("lower(recipient)"), "created_at"],
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

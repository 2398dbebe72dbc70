"""One spelling for each feature that is metered, and reminders that skip short terms.

Revision ID: 0004_feature_names
Revises: 0003_associations
"""

import sqlalchemy as sa
from alembic import op

revision = "0004_feature_names"
down_revision = "0003_associations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "meter_feature_names",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("meter_feature_names_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "folded", name=op.f("meter_feature_names_pkey")
        ),
    )
    op.drop_index("licenses_reminder_idx", table_name="licenses")
    op.create_index(
        "licenses_reminder_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        unique=False,
        postgresql_include=["id", "reminded_for", "reminded_days", "created_at"],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL AND (reminded_for IS DISTINCT FROM "
            "expiration_date OR reminded_days > 0)"
        ),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup of the earlier release instead.")

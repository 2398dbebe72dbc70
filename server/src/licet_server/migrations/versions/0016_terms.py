"""Terms start with the first use or with the issue, and licenses have a grace.

Revision ID: 0016_terms
Revises: 0015_customers
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0016_terms"
down_revision = "0015_customers"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_reminder_of_grace()
    op.create_check_constraint(op.f("licenses_grace_days_check"), "licenses", "grace_days >= 0")
    op.add_column("licenses", sa.Column("term_days", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("licenses_term_days_check"),
        "licenses",
        "term_days IS NULL OR (term_days > 0 AND expiration_date IS NULL)",
    )
    op.add_column(
        "policies", sa.Column("term_starts", sa.Text(), server_default="Issue", nullable=False)
    )
    op.add_column(
        "policies", sa.Column("grace_days", sa.Integer(), server_default="0", nullable=False)
    )
    op.create_check_constraint(op.f("policies_grace_days_check"), "policies", "grace_days >= 0")


def _add_reminder_of_grace() -> None:
    """First, and repeatable: what comes before the creation of the index is committed."""
    op.execute(
        "ALTER TABLE licenses ADD COLUMN IF NOT EXISTS grace_days INTEGER DEFAULT 0 NOT NULL,"
        " ADD COLUMN IF NOT EXISTS grace_reminded_for TIMESTAMP WITH TIME ZONE"
    )
    create_index_concurrently(
        "licenses_reminders_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        postgresql_include=[
            "id",
            "reminded_for",
            "reminded_days",
            "created_at",
            "grace_days",
            "grace_reminded_for",
        ],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL AND (reminded_for IS DISTINCT FROM "
            "expiration_date OR reminded_days > 0)"
        ),
    )
    op.drop_index("licenses_reminder_idx", table_name="licenses")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

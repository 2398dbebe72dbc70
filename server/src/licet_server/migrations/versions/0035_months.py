"""Terms have months in place of days, and remember when they began and on which day they end.

Revision ID: 0035_months
Revises: 0034_trial_devices
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0035_months"
down_revision = "0034_trial_devices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_begin()
    op.add_column("licenses", sa.Column("term_months", sa.Integer(), nullable=True))
    op.add_column("licenses", sa.Column("term_anchor_day", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("licenses_term_months_check"),
        "licenses",
        "term_months IS NULL OR "
        "(term_months > 0 AND term_days IS NULL AND expiration_date IS NULL)",
    )
    op.add_column("policies", sa.Column("duration_months", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("policies_duration_months_check"),
        "policies",
        "duration_months IS NULL OR (duration_months > 0 AND duration_days IS NULL)",
    )


def _add_begin() -> None:
    """First, and repeatable: what comes before the creation of the index is committed."""
    op.execute(
        "ALTER TABLE licenses ADD COLUMN IF NOT EXISTS term_began_at TIMESTAMP WITH TIME ZONE"
    )
    create_index_concurrently(
        "licenses_due_reminders_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        postgresql_include=[
            "id",
            "reminded_for",
            "reminded_days",
            "created_at",
            "term_began_at",
            "grace_days",
            "grace_reminded_for",
        ],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL AND (reminded_for IS DISTINCT FROM "
            "expiration_date OR reminded_days > 0)"
        ),
    )
    op.drop_index("licenses_reminders_idx", table_name="licenses")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Licenses cover releases until their maintenance ends, and keep some after their term.

Revision ID: 0038_windows
Revises: 0037_renewals
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0038_windows"
down_revision = "0037_renewals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_fallback()
    op.create_check_constraint(
        op.f("licenses_fallback_after_months_check"), "licenses", "fallback_after_months >= 0"
    )
    op.add_column("licenses", sa.Column("updates_until", sa.DateTime(timezone=True)))
    op.add_column("licenses", sa.Column("paid_since", sa.DateTime(timezone=True)))
    op.add_column("policies", sa.Column("updates_days", sa.Integer()))
    op.add_column(
        "policies", sa.Column("fallback", sa.Text(), server_default="None", nullable=False)
    )
    op.add_column(
        "policies",
        sa.Column("fallback_after_months", sa.Integer(), server_default="12", nullable=False),
    )
    op.create_check_constraint(op.f("policies_updates_days_check"), "policies", "updates_days > 0")
    op.create_check_constraint(
        op.f("policies_fallback_after_months_check"), "policies", "fallback_after_months >= 0"
    )
    op.add_column(
        "releases", sa.Column("coverage", sa.Text(), server_default="Licensed", nullable=False)
    )
    op.create_check_constraint(
        op.f("releases_coverage_check"), "releases", "coverage IN ('Licensed', 'Everyone')"
    )


def _add_fallback() -> None:
    """First, and repeatable: what comes before the creation of the index is committed."""
    op.execute(
        "ALTER TABLE licenses ADD COLUMN IF NOT EXISTS fallback TEXT DEFAULT 'None' NOT NULL,"
        " ADD COLUMN IF NOT EXISTS fallback_after_months INTEGER DEFAULT 12 NOT NULL"
    )
    create_index_concurrently(
        "licenses_fallback_idx",
        "licenses",
        ["institution_id", "id"],
        postgresql_where=sa.text("fallback <> 'None'"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""A policy grants balance at a renewal; orders note what they granted, and what they revoked.

Revision ID: 0037_renewals
Revises: 0036_over_limit
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0037_renewals"
down_revision = "0036_over_limit"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("policies", sa.Column("renewal_grant", sa.Numeric(24, 6)))
    op.add_column(
        "order_licenses",
        sa.Column("is_revoked", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("order_licenses", sa.Column("granted", postgresql.JSONB()))


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Idempotency records are purged by their time, and the master key is checked at every start.

Revision ID: 0012_operations
Revises: 0011_usage_totals
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0012_operations"
down_revision = "0011_usage_totals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "idempotency_records_created_at_idx", "idempotency_records", ["created_at"]
    )
    op.create_table(
        "master_key_canary",
        sa.Column("is_only_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("is_only_row", name=op.f("master_key_canary_is_only_row_check")),
        sa.PrimaryKeyConstraint("is_only_row", name=op.f("master_key_canary_pkey")),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

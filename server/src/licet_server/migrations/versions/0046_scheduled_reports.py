"""Members who receive the orders of each week or month by e-mail.

Revision ID: 0046_scheduled_reports
Revises: 0045_device_keys
"""

import sqlalchemy as sa
from alembic import op

revision = "0046_scheduled_reports"
down_revision = "0045_device_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "order_reports",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "user_id", name="order_reports_pkey"),
        sa.ForeignKeyConstraint(
            ["institution_id", "user_id"],
            ["memberships.institution_id", "memberships.user_id"],
            name="order_reports_institution_id_user_id_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("period IN ('Week', 'Month')", name=op.f("order_reports_period_check")),
    )
    op.create_index("order_reports_due_idx", "order_reports", ["due_at"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

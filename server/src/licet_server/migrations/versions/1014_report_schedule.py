"""Send reports of orders at a time of day, to other addresses too, and say what became of each.

Revision ID: 1014_report_schedule
Revises: 1013_order_filters
"""

import sqlalchemy as sa
from alembic import op

revision = "1014_report_schedule"
down_revision = "1013_order_filters"
branch_labels = None
depends_on = None

FILL = """
UPDATE order_reports SET id = user_id, due_on = CASE period
    WHEN 'Week' THEN date_trunc('week', due_at AT TIME ZONE 'UTC' + INTERVAL '84 hours')
    ELSE date_trunc('month', due_at AT TIME ZONE 'UTC' + INTERVAL '15 days')
END
"""
"""Each is due at a midnight of some time zone: that of the Monday, or first of a month, nearest."""


def upgrade() -> None:
    op.add_column("order_reports", sa.Column("id", sa.Uuid()))
    op.add_column("order_reports", sa.Column("email", sa.Text()))
    op.add_column(
        "order_reports",
        sa.Column("time_of_day", sa.Text(), nullable=False, server_default="00:00"),
    )
    op.add_column("order_reports", sa.Column("due_on", sa.Date()))
    op.add_column("order_reports", sa.Column("stopped_at", sa.DateTime(timezone=True)))
    op.add_column("order_reports", sa.Column("last_at", sa.DateTime(timezone=True)))
    op.add_column("order_reports", sa.Column("last_mail_id", sa.Uuid()))
    op.add_column("order_reports", sa.Column("last_status", sa.Text()))
    op.add_column("order_reports", sa.Column("last_error", sa.Text()))
    op.execute(FILL)
    op.alter_column("order_reports", "id", nullable=False)
    op.drop_constraint("order_reports_pkey", "order_reports")
    op.create_primary_key("order_reports_pkey", "order_reports", ["institution_id", "id"])
    op.create_unique_constraint(
        "order_reports_user_id_key", "order_reports", ["institution_id", "user_id"]
    )
    op.alter_column("order_reports", "user_id", nullable=True)
    op.alter_column("order_reports", "due_at", nullable=True)
    op.create_foreign_key(
        "order_reports_institution_id_fkey",
        "order_reports",
        "institutions",
        ["institution_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.drop_constraint(op.f("order_reports_period_check"), "order_reports")
    op.create_check_constraint(
        op.f("order_reports_period_check"), "order_reports", "period IN ('Day', 'Week', 'Month')"
    )
    op.create_check_constraint(
        op.f("order_reports_reader_check"),
        "order_reports",
        "(user_id IS NULL) <> (email IS NULL)",
    )
    op.create_index("order_reports_mail_idx", "order_reports", ["institution_id", "last_mail_id"])
    op.create_index(
        "order_reports_email_key",
        "order_reports",
        ["institution_id", sa.text("lower(email)")],
        unique=True,
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

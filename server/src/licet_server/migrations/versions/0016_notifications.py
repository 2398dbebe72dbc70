"""reminders of ends of terms, notifications

Revision ID: 0016
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "institutions",
        sa.Column(
            "expiry_reminder_days",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default=sa.text("'[30, 7, 1]'"),
            nullable=False,
        ),
    )
    op.add_column("licenses", sa.Column("reminded_for", sa.DateTime(timezone=True)))
    op.add_column("licenses", sa.Column("reminded_days", sa.Integer()))
    op.create_check_constraint(
        op.f("licenses_reminded_check"),
        "licenses",
        "(reminded_for IS NULL) = (reminded_days IS NULL)",
    )
    # Terms that ended before there were reminders are old news.
    op.execute(
        "UPDATE licenses SET reminded_for = expiration_date, reminded_days = 0 "
        "WHERE expiration_date <= now()"
    )
    op.create_index(
        "licenses_reminder_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        postgresql_include=["id", "reminded_for", "reminded_days"],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL"
            " AND (reminded_for IS DISTINCT FROM expiration_date OR reminded_days > 0)"
        ),
    )


def downgrade() -> None:
    op.drop_index("licenses_reminder_idx", table_name="licenses")
    op.drop_column("licenses", "reminded_days")
    op.drop_column("licenses", "reminded_for")
    op.drop_column("institutions", "expiry_reminder_days")

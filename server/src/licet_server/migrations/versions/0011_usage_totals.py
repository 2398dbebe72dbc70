"""Usage of licenses by month, and of products by day.

Revision ID: 0011_usage_totals
Revises: 0010_evidence
"""

import sqlalchemy as sa
from alembic import op

revision = "0011_usage_totals"
down_revision = "0010_evidence"
branch_labels = None
depends_on = None

_TOTAL = sa.Numeric(38, 6)


def upgrade() -> None:
    op.create_table(
        "meter_license_months",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("consumed", _TOTAL, nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "month", "license_id", name=op.f("meter_license_months_pkey")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_license_months_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "extract(day FROM month) = 1", name=op.f("meter_license_months_month_check")
        ),
    )
    op.create_table(
        "meter_product_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("consumed", _TOTAL, nullable=False),
        sa.Column("granted", _TOTAL, nullable=False),
        sa.Column("adjusted", _TOTAL, nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "day", "product_id", "mode", name=op.f("meter_product_days_pkey")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_product_days_institution_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    # The totals must not move while they are summed.
    op.execute("LOCK TABLE meter_license_days IN EXCLUSIVE MODE")
    op.execute(
        "INSERT INTO meter_license_months "
        "(institution_id, month, license_id, product_id, mode, consumed) "
        "SELECT institution_id, date_trunc('month', day)::date, license_id, product_id, mode, "
        "sum(consumed) FROM meter_license_days GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3"
    )
    op.execute(
        "INSERT INTO meter_product_days "
        "(institution_id, day, product_id, mode, consumed, granted, adjusted) "
        "SELECT institution_id, day, product_id, mode, sum(consumed), sum(granted), sum(adjusted) "
        "FROM meter_license_days GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

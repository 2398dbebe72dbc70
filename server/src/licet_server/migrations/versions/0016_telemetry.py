"""telemetry

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_RETENTION = "institutions_telemetry_retention_days_check"


def upgrade() -> None:
    op.create_table(
        "telemetry_events",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=True),
        sa.Column("device", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("properties", postgresql.JSONB(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("telemetry_events_pkey")),
    )
    op.create_index(
        "telemetry_events_product_idx",
        "telemetry_events",
        ["institution_id", "product_id", "id"],
        unique=False,
    )
    op.create_index(
        "telemetry_events_name_idx",
        "telemetry_events",
        ["institution_id", "product_id", "name", "id"],
        unique=False,
    )
    op.create_table(
        "telemetry_tallies",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "day", name=op.f("telemetry_tallies_pkey")
        ),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "telemetry_name_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "day", "name", name=op.f("telemetry_name_days_pkey")
        ),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "telemetry_device_months",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("device", sa.LargeBinary(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id",
            "product_id",
            "month",
            "name",
            "device",
            "license_id",
            name=op.f("telemetry_device_months_pkey"),
        ),
        postgresql_with={"fillfactor": 70},
    )
    op.add_column(
        "institutions",
        sa.Column(
            "telemetry_retention_days", sa.Integer(), server_default=sa.text("90"), nullable=False
        ),
    )
    op.create_check_constraint(
        op.f(_RETENTION), "institutions", "telemetry_retention_days BETWEEN 1 AND 3650"
    )


def downgrade() -> None:
    op.drop_constraint(op.f(_RETENTION), "institutions", type_="check")
    op.drop_column("institutions", "telemetry_retention_days")
    op.drop_table("telemetry_device_months")
    op.drop_table("telemetry_name_days")
    op.drop_table("telemetry_tallies")
    op.drop_index("telemetry_events_name_idx", table_name="telemetry_events")
    op.drop_index("telemetry_events_product_idx", table_name="telemetry_events")
    op.drop_table("telemetry_events")

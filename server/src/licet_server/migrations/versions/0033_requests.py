"""What applications requested of licenses lately.

Revision ID: 0033_requests
Revises: 0032_tags
"""

import sqlalchemy as sa
from alembic import op

revision = "0033_requests"
down_revision = "0032_tags"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "license_requests",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("device_name", sa.Text()),
        sa.Column("app_version", sa.Text()),
        sa.Column("ip_address", sa.Text(), nullable=False),
        sa.Column("request_count", sa.BigInteger(), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name="license_requests_pkey"),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name="license_requests_institution_id_license_id_fkey",
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint(
            "institution_id",
            "license_id",
            "hardware_id",
            "route",
            "status",
            name="license_requests_same_key",
        ),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index("license_requests_last_day_idx", "license_requests", ["last_day"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

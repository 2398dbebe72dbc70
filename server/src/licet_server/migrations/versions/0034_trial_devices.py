"""The first Trial of each device, where a product allows a device one.

Revision ID: 0034_trial_devices
Revises: 0033_requests
"""

import sqlalchemy as sa
from alembic import op

revision = "0034_trial_devices"
down_revision = "0033_requests"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "trial_devices",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("first_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "hardware_id", name="trial_devices_pkey"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name="trial_devices_institution_id_product_id_fkey",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "trial_devices_license_idx",
        "trial_devices",
        ["institution_id", "license_id", "first_used_at"],
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

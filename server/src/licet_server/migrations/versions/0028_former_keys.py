"""Keys that licenses had before, and until when they still work.

Revision ID: 0028_former_keys
Revises: 0027_addresses
"""

import sqlalchemy as sa
from alembic import op

revision = "0028_former_keys"
down_revision = "0027_addresses"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "license_former_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("normal_key", sa.Text(), nullable=False),
        sa.Column("license_key", sa.Text(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "normal_key", name="license_former_keys_pkey"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name="license_former_keys_institution_id_license_id_fkey",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "license_former_keys_license_idx",
        "license_former_keys",
        ["institution_id", "license_id"],
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

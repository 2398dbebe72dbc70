"""Test products may go by clocks of their own.

Revision ID: 0040_test_clocks
Revises: 0039_test_mode
"""

import sqlalchemy as sa
from alembic import op

revision = "0040_test_clocks"
down_revision = "0039_test_mode"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "test_clocks",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("test", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("now", sa.DateTime(timezone=True), nullable=False),
        sa.Column("target", sa.DateTime(timezone=True)),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name="test_clocks_pkey"),
        sa.UniqueConstraint("institution_id", "product_id", name="test_clocks_product_key"),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id", "test"],
            ["products.institution_id", "products.id", "products.test"],
            name="test_clocks_product_fkey",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("test", name="test"),
        sa.CheckConstraint("status IN ('Ready', 'Advancing', 'Failed')", name="status"),
        sa.CheckConstraint("target >= now", name="target"),
    )
    op.create_index(
        "test_clocks_advancing_idx",
        "test_clocks",
        ["updated_at"],
        postgresql_where=sa.text("status = 'Advancing'"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Signing keys that are prepared and do not sign yet.

Revision ID: 0030_next_keys
Revises: 0029_include_keys
"""

import sqlalchemy as sa
from alembic import op

revision = "0030_next_keys"
down_revision = "0029_include_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "next_rsa_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("kid", sa.Text(), nullable=False),
        sa.Column("key_size", sa.Integer(), nullable=False),
        sa.Column("private_key", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name="next_rsa_keys_pkey"),
        sa.UniqueConstraint(
            "institution_id", "product_id", name="next_rsa_keys_institution_id_product_id_key"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name="next_rsa_keys_institution_id_product_id_fkey",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

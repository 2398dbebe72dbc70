"""Products are for sales or for tests, and each license is what its product is.

Revision ID: 0039_test_mode
Revises: 0038_windows
"""

import sqlalchemy as sa
from alembic import op

revision = "0039_test_mode"
down_revision = "0038_windows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "products", sa.Column("test", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_unique_constraint("products_test_key", "products", ["institution_id", "id", "test"])
    op.create_index(
        "products_of_tests_idx",
        "products",
        ["institution_id", "id"],
        postgresql_where=sa.text("test"),
    )
    op.add_column(
        "licenses", sa.Column("test", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_foreign_key(
        "licenses_product_fkey",
        "licenses",
        "products",
        ["institution_id", "product_id", "test"],
        ["institution_id", "id", "test"],
    )
    op.drop_constraint("licenses_institution_id_product_id_fkey", "licenses", type_="foreignkey")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

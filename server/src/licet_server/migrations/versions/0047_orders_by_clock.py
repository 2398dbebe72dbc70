"""Orders of tests are decided again by the clocks of their products.

Revision ID: 0047_orders_by_clock
Revises: 0046_scheduled_reports
"""

import sqlalchemy as sa
from alembic import op

revision = "0047_orders_by_clock"
down_revision = "0046_scheduled_reports"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "order_deadlines",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "order_id", "product_id", name="order_deadlines_pkey"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "order_id"],
            ["orders.institution_id", "orders.id"],
            name="order_deadlines_institution_id_order_id_fkey",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name="order_deadlines_institution_id_product_id_fkey",
            ondelete="CASCADE",
        ),
    )
    op.create_index("order_deadlines_due_idx", "order_deadlines", ["due_at"])
    op.create_index(
        "order_deadlines_product_idx", "order_deadlines", ["institution_id", "product_id", "due_at"]
    )
    # Those are decided once more, which finds their deadlines.
    op.execute("UPDATE orders SET due_at = now() WHERE is_test AND due_at IS NOT NULL")


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

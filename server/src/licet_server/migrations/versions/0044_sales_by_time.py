"""Orders of a period, for the list of orders and the sums of sales.

Revision ID: 0044_sales_by_time
Revises: 0043_fleet
"""

from licet_server.migrations.turns import create_index_concurrently

revision = "0044_sales_by_time"
down_revision = "0043_fleet"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently("orders_created_at_idx", "orders", ["institution_id", "created_at"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

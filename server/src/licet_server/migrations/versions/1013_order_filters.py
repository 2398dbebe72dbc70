"""Find the orders of a product by the policies that their lines name.

Revision ID: 1013_order_filters
Revises: 1012_folded_search
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "1013_order_filters"
down_revision = "1012_folded_search"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "orders_policies_idx",
        "orders",
        [sa.text("""jsonb_path_query_array(lines, '$[*]."policyId"')""")],
        postgresql_using="gin",
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

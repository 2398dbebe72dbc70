"""Tags of licenses and customers, and the customers who moved away from an address.

Revision ID: 0032_tags
Revises: 0031_amounts
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0032_tags"
down_revision = "0031_amounts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # First, and repeatable: what comes before the creation of an index is committed.
    op.execute("ALTER TABLE former_addresses ADD COLUMN IF NOT EXISTS customer_id UUID")
    for table in ("licenses", "customers"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS tags JSONB")
        create_index_concurrently(
            f"{table}_tags_idx",
            table,
            [sa.literal_column("CAST(lower(CAST(tags AS TEXT)) AS JSONB)")],
            postgresql_using="gin",
            postgresql_where=sa.text("tags IS NOT NULL"),
        )
        create_index_concurrently(
            f"{table}_tagged_idx",
            table,
            ["institution_id", "id"],
            postgresql_where=sa.text("tags IS NOT NULL"),
        )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

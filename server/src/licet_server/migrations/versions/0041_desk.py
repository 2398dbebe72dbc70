"""Orders are found by how their number or the address of the buyer begins.

Revision ID: 0041_desk
Revises: 0040_test_clocks
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "0041_desk"
down_revision = "0040_test_clocks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "orders_number_start_idx",
        "orders",
        ["institution_id", sa.text("lower(external_id) text_pattern_ops")],
    )
    create_index_concurrently(
        "orders_email_start_idx",
        "orders",
        ["institution_id", sa.text("lower(email) text_pattern_ops")],
        postgresql_where=sa.text("email IS NOT NULL"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

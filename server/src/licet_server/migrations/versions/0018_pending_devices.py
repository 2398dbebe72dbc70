"""pending devices

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "activations_pending_idx",
        "activations",
        ["institution_id", "product_id", "id"],
        unique=False,
        postgresql_where=sa.text("NOT holds_seat AND blocked_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("activations_pending_idx", table_name="activations")

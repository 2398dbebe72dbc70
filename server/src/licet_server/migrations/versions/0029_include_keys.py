"""Webhooks that are sent the keys of new licenses.

Revision ID: 0029_include_keys
Revises: 0028_former_keys
"""

import sqlalchemy as sa
from alembic import op

revision = "0029_include_keys"
down_revision = "0028_former_keys"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "webhooks",
        sa.Column("include_keys", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

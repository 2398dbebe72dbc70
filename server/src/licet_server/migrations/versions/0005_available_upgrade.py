"""The newer release of the service that the operator's feed names.

Revision ID: 0005_available_upgrade
Revises: 0004_feature_names
"""

import sqlalchemy as sa
from alembic import op

revision = "0005_available_upgrade"
down_revision = "0004_feature_names"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "available_upgrade",
        sa.Column("is_only_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("notes_url", sa.Text(), nullable=False),
        sa.CheckConstraint("is_only_row", name=op.f("available_upgrade_is_only_row_check")),
        sa.PrimaryKeyConstraint("is_only_row", name=op.f("available_upgrade_pkey")),
    )

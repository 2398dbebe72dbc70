"""The last check of the operator's feed, and the newer release of the service that it named.

Revision ID: 0005_upgrade_check
Revises: 0004_feature_names
"""

import sqlalchemy as sa
from alembic import op

revision = "0005_upgrade_check"
down_revision = "0004_feature_names"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "upgrade_check",
        sa.Column("is_only_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Text(), nullable=True),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("notes_url", sa.Text(), nullable=True),
        sa.CheckConstraint("is_only_row", name=op.f("upgrade_check_is_only_row_check")),
        sa.CheckConstraint(
            "(version IS NULL) = (notes_url IS NULL)", name=op.f("upgrade_check_release_check")
        ),
        sa.PrimaryKeyConstraint("is_only_row", name=op.f("upgrade_check_pkey")),
    )

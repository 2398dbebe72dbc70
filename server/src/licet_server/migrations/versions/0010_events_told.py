"""which events were handed to their projections

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # What was recorded before there were projections is told to none.
    op.add_column(
        "events", sa.Column("is_told", sa.Boolean(), server_default=sa.text("true"), nullable=False)
    )
    op.alter_column("events", "is_told", server_default=sa.text("false"))
    op.create_index(
        "events_untold_idx",
        "events",
        ["id"],
        unique=False,
        postgresql_where=sa.text("NOT is_told"),
    )


def downgrade() -> None:
    op.drop_index("events_untold_idx", table_name="events")
    op.drop_column("events", "is_told")

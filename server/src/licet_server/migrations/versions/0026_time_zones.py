"""The time zone of an institution, in which its days end.

Revision ID: 0026_time_zones
Revises: 0025_former_addresses
"""

import sqlalchemy as sa
from alembic import op

revision = "0026_time_zones"
down_revision = "0025_former_addresses"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "institutions",
        sa.Column("time_zone", sa.Text(), server_default=sa.text("'UTC'"), nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

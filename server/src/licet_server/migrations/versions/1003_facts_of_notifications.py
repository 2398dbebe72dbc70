"""Store what notifications tell, so that pages say it in the language of their reader.

Revision ID: 1003_facts_of_notifications
Revises: 1002_quiet_pools
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "1003_facts_of_notifications"
down_revision = "1002_quiet_pools"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notifications", sa.Column("facts", JSONB()))


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

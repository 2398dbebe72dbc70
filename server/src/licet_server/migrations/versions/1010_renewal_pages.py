"""Let an institution name the page where its licenses are renewed.

Revision ID: 1010_renewal_pages
Revises: 1007_translated_welcomes
"""

import sqlalchemy as sa
from alembic import op

revision = "1010_renewal_pages"
down_revision = "1007_translated_welcomes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("institution_appearances", sa.Column("renewal_url", sa.Text()))


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

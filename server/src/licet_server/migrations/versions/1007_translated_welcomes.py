"""Give the welcome text of an institution a translation for each language.

Revision ID: 1007_translated_welcomes
Revises: 1006_disputed_orders
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "1007_translated_welcomes"
down_revision = "1006_disputed_orders"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "institution_appearances",
        sa.Column("welcome_translations", JSONB(), server_default="{}", nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Places for exports, event streams and downloads, counted over all processes.

Revision ID: 0024_places
Revises: 0023_file_sums
"""

import sqlalchemy as sa
from alembic import op

revision = "0024_places"
down_revision = "0023_file_sums"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "held_places",
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Uuid(), nullable=False),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("bucket", "number", name=op.f("held_places_pkey")),
        prefixes=["UNLOGGED"],
    )
    op.create_index("held_places_holder_idx", "held_places", ["holder"])
    op.create_index("held_places_held_until_idx", "held_places", ["held_until"])


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

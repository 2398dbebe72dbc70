"""The signed token of a published release.

Revision ID: 0008_release_tokens
Revises: 0007_sessions
"""

import sqlalchemy as sa
from alembic import op

revision = "0008_release_tokens"
down_revision = "0007_sessions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Releases that were published before are left unsigned: what the database says is not proof.
    op.add_column("releases", sa.Column("token", sa.Text(), nullable=True))

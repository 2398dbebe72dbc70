"""Accounts without a password, which people have whom only an identity provider signs in.

Revision ID: 0022_no_password
Revises: 0021_graces
"""

from alembic import op

revision = "0022_no_password"
down_revision = "0021_graces"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("users", "password_hash", nullable=True)


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

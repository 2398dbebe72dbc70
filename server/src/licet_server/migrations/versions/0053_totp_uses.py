"""The last code of an app that signed a user in is no longer part of the user.

Revision ID: 0053_totp_uses
Revises: 0050_key_endings
"""

import sqlalchemy as sa
from alembic import op

revision = "0053_totp_uses"
down_revision = "0050_key_endings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "totp_uses",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="totp_uses_pkey"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="totp_uses_user_id_fkey", ondelete="CASCADE"
        ),
    )

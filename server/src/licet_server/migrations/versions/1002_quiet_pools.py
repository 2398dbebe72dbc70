"""Know until when no session of a large pool times out.

Revision ID: 1002_quiet_pools
Revises: 1001_first_release
"""

import sqlalchemy as sa
from alembic import op

revision = "1002_quiet_pools"
down_revision = "1001_first_release"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_pools",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("quiet_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "license_id", name="session_pools_pkey"),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name="session_pools_institution_id_license_id_fkey",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Checksums of each megabyte of a release file, to compare while it is sent.

Revision ID: 0023_file_sums
Revises: 0022_no_password
"""

import sqlalchemy as sa
from alembic import op

revision = "0023_file_sums"
down_revision = "0022_no_password"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "release_file_sums",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("sums", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "file_id"],
            ["release_files.institution_id", "release_files.id"],
            name=op.f("release_file_sums_institution_id_file_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "file_id", name=op.f("release_file_sums_pkey")),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Old events, ledger entries, sessions and access attempts move to archives.

Revision ID: 0013_archives
Revises: 0012_operations
"""

import sqlalchemy as sa
from alembic import op

revision = "0013_archives"
down_revision = "0012_operations"
branch_labels = None
depends_on = None

_FREQUENT_VACUUM = ("access_attempts", "events", "meter_entries", "sessions")


def upgrade() -> None:
    op.create_table(
        "archives",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_number", sa.BigInteger(), nullable=True),
        sa.Column("last_number", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("archives_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "kind",
            "number",
            name=op.f("archives_institution_id_kind_number_key"),
        ),
    )
    op.create_table(
        "archive_heads",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "kind", name=op.f("archive_heads_pkey")),
    )
    op.create_table(
        "event_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "day", "product_id", "kind", name=op.f("event_days_pkey")
        ),
    )
    op.create_table(
        "meter_openings",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.Numeric(24, 6), nullable=False),
        sa.Column("consumed", sa.Numeric(38, 6), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "license_id", name=op.f("meter_openings_pkey")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_openings_institution_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    for table in _FREQUENT_VACUUM:
        op.execute(
            f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0.02, "
            "autovacuum_vacuum_threshold = 10000)"
        )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

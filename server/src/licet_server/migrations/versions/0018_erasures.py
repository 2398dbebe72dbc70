"""Persons are erased from archives, and the telemetry of a license is found by an index.

Revision ID: 0018_erasures
Revises: 0017_delivery
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0018_erasures"
down_revision = "0017_delivery"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "telemetry_events_license_idx",
        "telemetry_events",
        ["institution_id", "license_id"],
        postgresql_where=sa.text("license_id IS NOT NULL"),
    )
    op.create_table(
        "erasures",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("traces", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("erasures_pkey")),
    )
    op.add_column("archives", sa.Column("replaced_id", sa.Uuid(), nullable=True))
    op.add_column("archives", sa.Column("replaced_size", sa.BigInteger(), nullable=True))
    op.create_check_constraint(
        op.f("archives_replaced_check"),
        "archives",
        "(replaced_id IS NULL) = (replaced_size IS NULL)",
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

"""Components of devices, by which a license recognizes a machine that has changed.

Revision ID: 0052_device_components
Revises: 0050_key_endings
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from licet_server.migrations.turns import create_index_concurrently

revision = "0052_device_components"
down_revision = "0050_key_endings"
branch_labels = None
depends_on = None

_MATCHING = "machine_match ~ '^(Exact|[2-8]/[2-8])$'"


def upgrade() -> None:
    op.execute("ALTER TABLE activations ADD COLUMN IF NOT EXISTS components_mark TEXT")
    create_index_concurrently(
        "activations_known_key_idx",
        "activations",
        ["institution_id", "license_id", "jkt"],
        postgresql_where=sa.text("components_mark IS NOT NULL AND jkt IS NOT NULL"),
    )
    op.add_column("policies", sa.Column("machine_match", sa.Text()))
    op.create_check_constraint(op.f("policies_machine_match_check"), "policies", _MATCHING)
    op.add_column(
        "licenses", sa.Column("machine_match", sa.Text(), server_default="Exact", nullable=False)
    )
    op.create_check_constraint(op.f("licenses_machine_match_check"), "licenses", _MATCHING)
    op.add_column("policies", sa.Column("on_clone", sa.Text()))
    op.add_column(
        "licenses", sa.Column("on_clone", sa.Text(), server_default="Refuse", nullable=False)
    )
    op.add_column(
        "device_releases",
        sa.Column("rekeyed", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.create_table(
        "device_components",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("activation_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("original", sa.Text(), nullable=False),
        sa.Column("bound_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "activation_id", "name", name=op.f("device_components_pkey")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "activation_id"],
            ["activations.institution_id", "activations.id"],
            name=op.f("device_components_institution_id_activation_id_fkey"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "device_components_value_idx",
        "device_components",
        ["institution_id", "license_id", "name", "value", "activation_id"],
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

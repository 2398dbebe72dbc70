"""Keys of devices, and who must prove them.

Revision ID: 0045_device_keys
Revises: 0044_sales_by_time
"""

import sqlalchemy as sa
from alembic import op

from licet_server.migrations.turns import create_index_concurrently

revision = "0045_device_keys"
down_revision = "0044_sales_by_time"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE sessions ADD COLUMN IF NOT EXISTS proof_jti TEXT")
    create_index_concurrently(
        "sessions_proof_idx",
        "sessions",
        ["institution_id", "license_id", "proof_jti"],
        postgresql_where=sa.text("proof_jti IS NOT NULL"),
    )
    op.add_column("policies", sa.Column("device_proof", sa.Text()))
    op.add_column(
        "licenses", sa.Column("device_proof", sa.Text(), server_default="Off", nullable=False)
    )
    op.add_column("activations", sa.Column("jkt", sa.Text()))
    op.add_column("activations", sa.Column("key_level", sa.Text()))
    op.add_column("activations", sa.Column("key_since", sa.DateTime(timezone=True)))
    op.add_column("activations", sa.Column("proof_at", sa.DateTime(timezone=True)))
    op.add_column("activations", sa.Column("proof_jti", sa.Text()))
    op.add_column("session_slots", sa.Column("jkt", sa.Text()))


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

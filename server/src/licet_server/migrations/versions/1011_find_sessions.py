"""Find live sessions by the beginnings of the names and hardware IDs of their devices.

Revision ID: 1011_find_sessions
Revises: 1010_renewal_pages
"""

import sqlalchemy as sa

from licet_server.migrations.turns import create_index_concurrently

revision = "1011_find_sessions"
down_revision = "1010_renewal_pages"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index_concurrently(
        "sessions_hardware_start_idx",
        "sessions",
        ["institution_id", sa.literal_column("lower(hardware_id)").label("hardware_start")],
        postgresql_ops={"hardware_start": "text_pattern_ops"},
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    create_index_concurrently(
        "sessions_name_start_idx",
        "sessions",
        ["institution_id", sa.literal_column("lower(device_name)").label("name_start")],
        postgresql_ops={"name_start": "text_pattern_ops"},
        postgresql_where=sa.text("ended_at IS NULL AND device_name IS NOT NULL"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")

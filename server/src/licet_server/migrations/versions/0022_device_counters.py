"""device counters and last heartbeats

Revision ID: 0022
Revises: 0021
"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_CONSTRAINTS = (
    "pkey",
    "institution_id_license_id_fkey",
    "seats_used_check",
    "unreviewed_attempts_check",
)


def upgrade() -> None:
    _rename("device_tallies", "device_counters")
    op.alter_column("session_slots", "beat_at", new_column_name="last_heartbeat_at")


def downgrade() -> None:
    op.alter_column("session_slots", "last_heartbeat_at", new_column_name="beat_at")
    _rename("device_counters", "device_tallies")


def _rename(before: str, after: str) -> None:
    op.rename_table(before, after)
    for suffix in _CONSTRAINTS:
        op.execute(f"ALTER TABLE {after} RENAME CONSTRAINT {before}_{suffix} TO {after}_{suffix}")

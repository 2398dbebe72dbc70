"""Seats of devices with license files, and the number of blocked devices of a license.

Revision ID: 0002_offline_seats
Revises: 0001_first_release
"""

import sqlalchemy as sa
from alembic import op

revision = "0002_offline_seats"
down_revision = "0001_first_release"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "activations", sa.Column("file_ends_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column(
        "activations", sa.Column("released_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.create_check_constraint(
        op.f("activations_released_at_check"),
        "activations",
        "released_at IS NULL"
        " OR (holds_seat AND NOT bound AND blocked_at IS NULL AND file_ends_at IS NOT NULL)",
    )
    op.create_index(
        "activations_released_idx",
        "activations",
        ["institution_id", "license_id", "file_ends_at"],
        postgresql_where=sa.text("released_at IS NOT NULL"),
    )
    op.add_column(
        "device_counters",
        sa.Column("seats_waiting", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.create_check_constraint(
        op.f("device_counters_seats_waiting_check"),
        "device_counters",
        "seats_waiting BETWEEN 0 AND seats_used",
    )
    op.add_column(
        "licenses",
        sa.Column("blocked_devices", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.create_check_constraint(
        op.f("licenses_blocked_devices_check"), "licenses", "blocked_devices >= 0"
    )
    op.execute(
        """
        UPDATE licenses SET blocked_devices = found.number
        FROM (
            SELECT institution_id, license_id, count(*) AS number
            FROM activations WHERE blocked_at IS NOT NULL
            GROUP BY institution_id, license_id
        ) AS found
        WHERE licenses.institution_id = found.institution_id AND licenses.id = found.license_id
        """
    )
    # Most licenses have few devices, so the planner expects one row of a license and may read all
    # devices of a large pool to find one. With these numbers, it looks the device up by its key.
    op.execute(
        "ALTER TABLE activations ALTER COLUMN institution_id SET (n_distinct = -0.0001), "
        "ALTER COLUMN license_id SET (n_distinct = -0.001)"
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
